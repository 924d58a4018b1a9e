-- expect: run: out of memory
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local list = self.mem.list or {}
  self.mem.list = list
  for i = 1, 250000 do
    list[#list + 1] = { i }
  end
  return 1
end

return policy

-- expect: run: out of memory
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local list = {}
  self.mem[#self.mem + 1] = list
  for i = 1, 1200000 do
    list[i] = true
  end
  return 1
end

return policy

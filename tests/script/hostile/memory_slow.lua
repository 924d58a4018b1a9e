-- expect: run: self.mem may take 64 KiB
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local list = {}
  self.mem[#self.mem + 1] = list
  for i = 1, 200000 do
    list[i] = true
  end
  return 1
end

return policy

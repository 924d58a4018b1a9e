-- expect: run: self.mem may take 64 KiB
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  for i = 1, 100000 do self.mem[i] = i end
  return 1
end

return policy

-- expect: run: table index is NaN
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  self.mem[0 / 0] = 1
  return 1
end

return policy

-- expect: run: 
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster.free = 5
  return 1
end

return policy

-- expect: run: 
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return cluster
end

return policy

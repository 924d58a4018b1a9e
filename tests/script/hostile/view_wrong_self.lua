-- expect: run: expected a cluster
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return cluster.degrees(job, job)
end

return policy

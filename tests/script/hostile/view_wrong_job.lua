-- expect: run: expected a job
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return cluster:degrees(cluster)
end

return policy

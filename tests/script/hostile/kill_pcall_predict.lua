-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do pcall(cluster.predict, cluster, job, { degree = 1 }) end
end

return policy

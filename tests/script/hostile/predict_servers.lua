-- expect: run: expected a server id from 0 to 7
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster:predict(job, { degree = 2, servers = { 0, 99 } })
end

return policy

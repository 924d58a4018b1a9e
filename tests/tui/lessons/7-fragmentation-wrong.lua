-- reason: job A still waits for the uplink
local policy = { name = "as-dealt", api = 1 }

function policy:partition(job, cluster)
  return #job.hint.servers
end

function policy:place(job, cluster)
  return { servers = job.hint.servers }
end

return policy

-- expect: run: a job is read-only
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  job.deadline = math.huge
end

return policy

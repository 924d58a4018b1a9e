-- reason: a job found no place
local policy = { name = "first", api = 1 }

function policy:partition(job, cluster)
  return job.hint.degree
end

return policy

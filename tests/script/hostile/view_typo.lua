-- expect: run: did you mean 'deadline'
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return job.dealine
end

return policy

-- reason: the first job needs fewer servers
local policy = { name = "most", api = 1 }

function policy:partition(job, cluster)
  return 16, "in time for sure"
end

return policy

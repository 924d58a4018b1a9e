-- reason: the mean is not good enough
local policy = { name = "most", api = 1 }

function policy:partition(job, cluster)
  return 16, "as fast as can be"
end

return policy

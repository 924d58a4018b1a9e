-- reason: one op and its backward twin should be split
local policy = { name = "all", api = 1 }

function policy:partition(job, cluster)
  return 2, "all of them"
end

return policy

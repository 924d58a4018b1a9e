-- reason: too many jobs are lost
local policy = { name = "most", api = 1 }

function policy:partition(job, cluster)
  local best
  for _, degree in ipairs(cluster:degrees(job)) do
    best = degree
  end
  return best, "as fast as can be"
end

return policy

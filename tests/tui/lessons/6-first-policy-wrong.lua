-- reason: too many jobs are lost
local policy = { name = "four", api = 1 }

function policy:partition(job, cluster)
  for _, degree in ipairs(cluster:degrees(job)) do
    if degree >= 4 then
      return degree, "four, or what is next"
    end
  end
  return nil, "fewer than four are free"
end

return policy

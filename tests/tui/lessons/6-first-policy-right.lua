-- The first degree that is in time.
local policy = { name = "in-time", api = 1 }

function policy:partition(job, cluster)
  for _, degree in ipairs(cluster:degrees(job)) do
    local forecast = cluster:predict(job, { degree = degree })
    if forecast.feasible and forecast.finish <= job.deadline then
      return degree, "in time"
    end
  end
  return nil, "too late in any case"
end

return policy

-- The smallest degree that meets the deadline.
local policy = { name = "just-enough", api = 1 }

function policy:partition(job, cluster)
  for _, degree in ipairs(cluster:degrees(job)) do
    local forecast = cluster:predict(job, { degree = degree })
    if forecast.feasible and forecast.finish <= job.deadline then
      return degree, "just enough"
    end
  end
  return nil, "never in time"
end

return policy

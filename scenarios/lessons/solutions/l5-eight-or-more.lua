-- Lesson 5, passes: eight ways, and only if that is late the next number that is in time.
local policy = { name = "eight-or-more", api = 1 }

function policy:partition(job, cluster)
  for _, ways in ipairs(cluster:degrees(job)) do
    local forecast = cluster:predict(job, { degree = ways })
    if ways >= 8 and forecast.feasible and forecast.finish <= job.deadline then
      return ways, "eight, or what is in time"
    end
  end
  return nil, "none is in time"
end

return policy

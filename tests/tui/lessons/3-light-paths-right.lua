-- The degree with the shortest forecast.
local policy = { name = "shortest", api = 1 }

function policy:partition(job, cluster)
  local best, least
  for _, degree in ipairs(cluster:degrees(job)) do
    local forecast = cluster:predict(job, { degree = degree })
    if forecast.feasible and (least == nil or forecast.jct < least) then
      best, least = degree, forecast.jct
    end
  end
  return best, "shortest forecast"
end

return policy

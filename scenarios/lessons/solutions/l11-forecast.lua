-- Lesson 11, passes: of the plans that the scenario names, the one with the shortest forecast.
local policy = { name = "forecast", api = 1, doc = "the fastest of the listed plans, by forecast" }

function policy:partition(job, cluster)
  local best, shortest
  for _, plan in ipairs(cluster:plans(job)) do
    local forecast = plan.free and cluster:predict(job, { plan = plan })
    if forecast and forecast.feasible and (not best or forecast.step_time < shortest) then
      best, shortest = plan, forecast.step_time
    end
  end
  return best, "the shortest step of those that are listed"
end

return policy

-- Lesson 12, passes: the listed plan with the shortest forecast, all turns early.
local policy = { name = "early", api = 1, doc = "the fastest of the listed plans on these rails" }

function policy:partition(job, cluster)
  local best, shortest
  for _, plan in ipairs(cluster:plans(job)) do
    local forecast = plan.free and cluster:predict(job, { plan = plan })
    if forecast and forecast.feasible and (not best or forecast.step_time < shortest) then
      best, shortest = plan, forecast.step_time
    end
  end
  return best, "the shortest step on these rails"
end

function policy:phase(job, phase, light)
  return "provisioned"
end

return policy

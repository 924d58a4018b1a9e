-- Lesson 12, passes: the shortest forecast, and early those turns whose data wait for them.
local policy = { name = "waiting", api = 1, doc = "the fastest of the listed plans on these rails" }

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
  return phase.waits and "provisioned" or "on-demand"
end

return policy

-- Lesson 11, fails: the shortest step as the list says it, which knows nothing of a slow network.
local policy = { name = "listed", api = 1, doc = "the fastest of the plans that are listed" }

function policy:partition(job, cluster)
  local best
  for _, plan in ipairs(cluster:plans(job)) do
    if plan.free and (not best or plan.step_time < best.step_time) then
      best = plan
    end
  end
  return best, "the shortest step of those that are listed"
end

return policy

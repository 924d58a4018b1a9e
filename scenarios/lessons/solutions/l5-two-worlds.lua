-- Lesson 5, passes with all points: remembers the limits. While they are tight on the mean, eight
-- ways for all (slots of one size); while they leave time, as few ways as the limit allows.
local policy = { name = "two-worlds", api = 1 }

function policy:partition(job, cluster)
  local seen = self.mem
  seen.jobs = (seen.jobs or 0) + 1
  seen.limits = (seen.limits or 0) + job.max_jct / job.sequential_jct
  local fewest = seen.limits / seen.jobs < 0.65 and 8 or 1
  for _, ways in ipairs(cluster:degrees(job)) do
    local forecast = cluster:predict(job, { degree = ways })
    if ways >= fewest and forecast.feasible and forecast.finish <= job.deadline then
      return ways, fewest == 8 and "limits are tight: eight" or "there is time"
    end
  end
  return nil, "none is in time"
end

return policy

-- Lesson 6, passes with all points: the fewest ways that are in time, and a word about its worst seed.
local policy = {
  name = "in-time",
  api = 1,
  doc = "the fewest ways in time; of the seeds 1 to 5 it does worst on seed 3, with 0.323 lost",
}

function policy:partition(job, cluster)
  for _, ways in ipairs(cluster:degrees(job)) do
    local forecast = cluster:predict(job, { degree = ways })
    if forecast.feasible and forecast.finish <= job.deadline then
      return ways, "in time"
    end
  end
  return nil, "too late at any number of ways"
end

return policy

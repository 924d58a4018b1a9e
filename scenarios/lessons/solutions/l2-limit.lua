-- Lesson 2, passes: the first number of ways whose forecast is within the job's limit.
local policy = { name = "limit", api = 1 }

function policy:partition(job, cluster)
  for _, ways in ipairs(cluster:degrees(job)) do
    if cluster:predict(job, { degree = ways }).jct <= job.max_jct then
      return ways, "the least that is in time"
    end
  end
  return nil, "too late at any number of ways"
end

return policy

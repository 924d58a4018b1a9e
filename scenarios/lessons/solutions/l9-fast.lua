-- Lesson 9, passes: takes only jobs that are done within two seconds on the largest degree.
local policy = { name = "fast", api = 1 }

function policy:partition(job, cluster)
  local ways = cluster:degrees(job)
  local most = ways[#ways]
  if most and cluster:predict(job, { degree = most }).jct < 2 then
    return most, "fast: good for the mean"
  end
  return nil, "would spoil the mean"
end

return policy

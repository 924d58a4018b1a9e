-- Lesson 5, passes: the fewest ways that are in time, never more than `most`.
local policy = {
  name = "least",
  api = 1,
  params = { most = { default = 8, type = "integer", min = 1, doc = "most ways" } },
}

function policy:partition(job, cluster)
  for _, ways in ipairs(cluster:degrees(job, self.p.most)) do
    local forecast = cluster:predict(job, { degree = ways })
    if forecast.feasible and forecast.finish <= job.deadline then
      return ways, "the least in time"
    end
  end
  return nil, "none is in time"
end

return policy

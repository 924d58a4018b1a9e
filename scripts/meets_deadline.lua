-- meets_deadline.lua: split just enough to meet the job's deadline.
-- Rule: the smallest degree, up to max_degree, whose forecast ends by the deadline; else decline.
-- Source: the rule of acceptable_jct.lua, with the engine's forecast of what a degree would cost.
local policy = {
  name = "meets-deadline",
  api = 1,
  doc = "splits just enough to meet the job's deadline, by forecast",
  params = {
    max_degree = { default = 16, min = 1, doc = "largest degree to try" },
  },
}

function policy:partition(job, cluster)
  for _, degree in ipairs(cluster:degrees(job, self.p.max_degree)) do
    local forecast = cluster:predict(job, { degree = degree })
    if forecast.feasible and forecast.finish <= job.deadline then
      return degree, ("%d ways meets %.3g s"):format(degree, job.deadline - job.arrival)
    end
  end
  return nil, "no degree meets the deadline"
end

return policy

-- Only who is fast may come in.
local policy = { name = "wrong-prize", api = 1 }

function policy:partition(job, cluster)
  local forecast = cluster:predict(job, { degree = 16 })
  if forecast.feasible and forecast.jct < 2 then
    return 16, "fast"
  end
  return nil, "would spoil the mean"
end

return policy

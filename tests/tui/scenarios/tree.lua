-- Whoever has a place starts; who has none is asked again when somebody ends.
local policy = { name = "has_place", api = 1, doc = "whoever has a place starts" }

function policy:place(job, cluster)
  local forecast = cluster:predict(job)
  if forecast.feasible then
    return { servers = forecast.servers }, "it has a place"
  end
  return "wait", "no place now", { retry = "on_complete" }
end

return policy

-- Lets a job wait until there is room for two ways.
local policy = { name = "patient", api = 1 }

function policy:partition(job, cluster)
  for _, degree in ipairs(cluster:degrees(job)) do
    if degree == 2 then
      return 2, "room for two"
    end
  end
  return "wait", "no room for two", { retry = "on_complete" }
end

return policy

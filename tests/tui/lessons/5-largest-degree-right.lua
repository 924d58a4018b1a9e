-- Eight ways, which is four slots.
local policy = { name = "four-slots", api = 1 }

function policy:partition(job, cluster)
  local best
  for _, degree in ipairs(cluster:degrees(job, 8)) do
    best = degree
  end
  return best, "four slots"
end

return policy

-- Lesson 8, passes: six servers of the zone that has the fewest left over, else wait for one.
local policy = { name = "wait", api = 1 }

local function choose(cluster)
  local best
  for _, zone in ipairs(cluster:zones()) do
    if #zone.free >= 6 and (not best or #zone.free < #best.free) then
      best = zone
    end
  end
  return best
end

function policy:partition(job, cluster)
  if choose(cluster) then
    return 6
  end
  return "wait", "no zone has six"
end

function policy:place(job, cluster)
  local free, servers = choose(cluster).free, {}
  for i = 1, 6 do
    servers[i] = free[i]
  end
  return { servers = servers }
end

return policy

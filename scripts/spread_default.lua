-- spread_default.lua: parts spread evenly, as Kubernetes does by default.
-- Rule: part by part, a free server of the zone that has the smallest share of its servers taken
-- (parts bound so far included), of equals the zone named first; in it the server of lowest number.
-- A decision looks at every zone once for each part; how many servers there are costs next to nothing.
-- Source: the default score LeastAllocated of the Kubernetes scheduler, and its default spreading of
-- pods over zones (kubernetes.io, "Pod Topology Spread Constraints"). A server here takes one job at
-- a time, so that what is allocated is counted by zone; that reading is ours.
local gang = require("gang")
local room = require("room")

local policy = {
  name = "spread_default",
  api = 1,
  doc = "spreads the parts of a job over zones: least allocated first",
  params = { max_degree = gang.max_degree },
}

policy.partition = gang.partition

-- The zone with the smallest share taken that has a free server.
local function least_allocated(zones)
  local best, least
  for _, zone in ipairs(zones) do
    local share = 1 - (zone.free_count - zone.next + 1) / zone.size
    if zone.next <= zone.free_count and (not best or share < least) then
      best, least = zone, share
    end
  end
  return best
end

function policy:place(job, cluster)
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  local n = gang.size(job, cluster)
  if not n or cluster.free < n then
    return "wait", "not enough free servers", { retry = "on_complete" }
  end
  local zones, servers, touched, count = cluster:zones(false), {}, {}, 0
  for number, zone in ipairs(zones) do
    zone.number, zone.next = number, 1
  end
  for i = 1, n do
    local zone = least_allocated(zones)
    servers[i] = cluster:free_server(zone.next, zone.number)
    zone.next = zone.next + 1
    if not touched[zone] then
      touched[zone] = true
      count = count + 1
    end
  end
  return { servers = servers }, ("zones: %d"):format(count)
end

return policy

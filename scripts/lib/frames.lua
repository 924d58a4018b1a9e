-- frames.lua: policies for circuit switches made of a schedule from circuits.lua.
--
--   local frames = require("frames")
--   return frames({ name = "ocs_x", doc = "...", params = { ... } }, function(self, demand, delta)
--     return circuits.solstice(demand, delta)
--   end)
--
-- The hook configure turns the demand of the running jobs into one frame of `frame` seconds: the
-- seconds that each circuit would have to be lit in it. The schedule that the function gives for it
-- is repeated until it is asked again; where jobs ask for more than there is, a cycle takes longer
-- than the frame. A function that returns nil leaves circuits as they are. Of more than `matchings`
-- matchings those of the longest holds stay.

local function seconds_of(demand, fabric, frame)
  local seconds, any = {}, false
  for i, row in ipairs(demand) do
    seconds[i] = {}
    for j, wanted in ipairs(row) do
      local rate = math.min(fabric.port[i].rate, fabric.port[j].rate)
      seconds[i][j] = wanted / rate * frame
      any = any or wanted > 0
    end
  end
  return any and seconds
end

local function longest(schedule, most)
  while #schedule > most do
    local shortest = 1
    for k, entry in ipairs(schedule) do
      shortest = entry.hold < schedule[shortest].hold and k or shortest
    end
    table.remove(schedule, shortest)
  end
  return schedule
end

return function(policy, schedule)
  policy.api = 1
  policy.params = policy.params or {}
  policy.params.frame =
    { default = 1, type = "number", min = 1e-9, doc = "seconds of demand that a cycle serves" }
  policy.params.matchings = { default = 64, type = "integer", min = 1, doc = "of a cycle at most" }

  function policy:configure(fabric, demand, cluster)
    local seconds = seconds_of(demand, fabric, self.p.frame)
    local cycle = seconds and schedule(self, seconds, fabric.delay)
    if not cycle or #cycle == 0 then
      return nil, "stays as it is"
    end
    local count = #cycle
    longest(cycle, self.p.matchings)
    return cycle, ("matchings: %d%s"):format(#cycle, count > #cycle and " of " .. count or "")
  end

  return policy
end

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
-- than the frame. Ports that a matching leaves dark serve on what asks for most. A function that
-- returns nil leaves circuits as they are. Of more than `matchings` matchings those of the longest
-- holds stay.

-- The seconds that circuits would have to be lit; nil where nobody asks for any. Most pairs ask for nothing.
local function seconds_of(demand, fabric, frame)
  local seconds, zeros, wanted, places = {}, {}, match.entries(demand)
  local any = false
  for j = 1, #demand do
    zeros[j] = 0
  end
  for i = 1, #demand do
    seconds[i] = table.move(zeros, 1, #zeros, 1, {})
  end
  for k, bytes in ipairs(wanted) do
    local i, j = places.row[k], places.column[k]
    local rate = math.min(fabric.port[i].rate, fabric.port[j].rate)
    seconds[i][j] = bytes / rate * frame
    any = any or bytes > 0
  end
  return any and seconds
end

-- Takes those of the shortest holds out, of equal ones the first.
local function longest(schedule, most)
  local order, out = {}, {}
  for k = 1, #schedule > most and #schedule or 0 do
    order[k] = k
  end
  table.sort(order, function(a, b)
    local x, y = schedule[a].hold, schedule[b].hold
    return x < y or (x == y and a < b)
  end)
  for i = 1, #order - most do
    out[order[i]] = true
  end
  for k = #order, 1, -1 do
    if out[k] then
      table.remove(schedule, k)
    end
  end
end

-- Pairs that ask for something, most first.
local function wanted_pairs(demand)
  local pairs_ = {}
  local wanted, places = match.entries(demand)
  for k, seconds in ipairs(wanted) do
    local i, j = places.row[k], places.column[k]
    if seconds > 0 and i ~= j then
      pairs_[#pairs_ + 1] = { i, j, seconds }
    end
  end
  table.sort(pairs_, function(a, b)
    if a[3] ~= b[3] then
      return a[3] > b[3]
    end
    return a[1] < b[1] or (a[1] == b[1] and a[2] < b[2])
  end)
  return pairs_
end

-- No port stays dark that somebody asks for and could have.
local function fill(cycle, demand)
  local wanted = wanted_pairs(demand)
  for _, entry in ipairs(cycle) do
    local taken = {}
    for i = 1, #demand do
      taken[entry.match[i] or 0] = true
    end
    for _, pair in ipairs(wanted) do
      if not entry.match[pair[1]] and not taken[pair[2]] then
        entry.match[pair[1]], taken[pair[2]] = pair[2], true
      end
    end
  end
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
    fill(cycle, seconds)
    return cycle, ("matchings: %d%s"):format(#cycle, count > #cycle and " of " .. count or "")
  end

  return policy
end

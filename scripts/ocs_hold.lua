-- ocs_hold.lua: another cycle only when that pays.
-- Rule: the cycle of matchings that is set stays unless a new one, made for the demand of now, would
-- carry more than `threshold` times as much per second for the pair that gets least of what it asks
-- for. A pair that the old cycle leaves dark always makes it switch.
-- Source: the rule "reconfigure when it pays" of hold-and-switch schedulers; the measure is ours.
-- New cycles are those of Solstice; circuits.lua.
local circuits = require("circuits")
local frames = require("frames")

local policy = {
  name = "ocs_hold",
  doc = "keeps its cycle until another one carries much more",
  params = {
    threshold = { default = 1.2, type = "number", min = 0, doc = "times as much makes it switch" },
  },
}

-- How often per second the cycle carries all of the demand.
local function worth(cycle, demand, delta)
  local time, least = circuits.time(cycle, #cycle > 1 and delta or 0), math.huge
  for i, row in ipairs(demand) do
    for j, wanted in ipairs(row) do
      if wanted > 0 then
        local lit = 0
        for _, entry in ipairs(cycle) do
          lit = lit + (entry.match[i] == j and entry.hold or 0)
        end
        least = math.min(least, lit / wanted)
      end
    end
  end
  return least / time
end

return frames(policy, function(self, demand, delta)
  local new, old = circuits.solstice(demand), self.mem.cycle
  if old and worth(new, demand, delta) <= self.p.threshold * worth(old, demand, delta) then
    return nil
  end
  self.mem.cycle = new
  return new
end)

-- ocs_solstice.lua: large slices of demand first.
-- Rule: the demand of a frame is padded to equal sums; then again and again the matching of entries
-- above a threshold that joins all ports, held for the least of them; without one the threshold is
-- halved.
-- Source: Solstice (Liu et al., CoNEXT 2015), with circuits for all of the demand; circuits.lua,
-- solstice.
local circuits = require("circuits")
local frames = require("frames")

local policy = { name = "ocs_solstice", doc = "Solstice: few matchings held long" }

return frames(policy, function(self, demand)
  return circuits.solstice(demand)
end)

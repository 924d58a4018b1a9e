-- ocs_max_weight.lua: slot by slot the matching with the most demand.
-- Rule: a cycle of slots of `slot` seconds (0: ten times the darkness, at least a tenth of the
-- demand), each with the matching of ports that has the most demand left.
-- Source: Helios (Farrington et al., SIGCOMM 2010) and c-Through (Wang et al., SIGCOMM 2010), which
-- take one matching at a time; circuits.lua, max_weight.
local circuits = require("circuits")
local frames = require("frames")

local policy = {
  name = "ocs_max_weight",
  doc = "slots of the heaviest matching",
  params = { slot = { default = 0, type = "number", min = 0, doc = "seconds; 0: by the demand" } },
}

return frames(policy, function(self, demand, delta)
  return circuits.max_weight(demand, delta, { slot = self.p.slot > 0 and self.p.slot or nil })
end)

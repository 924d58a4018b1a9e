-- ocs_eclipse.lua: the most bytes per second of light and darkness.
-- Rule: again and again the matching and the duration that serve the most demand per second, the
-- reconfiguration counted.
-- Source: Eclipse (Bojja Venkatakrishnan et al., SIGMETRICS 2016); circuits.lua, eclipse.
local circuits = require("circuits")
local frames = require("frames")

local policy = { name = "ocs_eclipse", doc = "Eclipse: matching and duration by what they serve per second" }

return frames(policy, function(self, demand, delta)
  return circuits.eclipse(demand, delta)
end)

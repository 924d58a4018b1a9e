-- ocs_first_fit.lua: circuits in order of ports.
-- Rule: each input in order takes the first free output that it has something for; these stay until
-- all is sent, then the next ones: a cycle over a frame of demand.
-- Source: none, the simplest rule there is; circuits.lua, first_fit.
local circuits = require("circuits")
local frames = require("frames")

local policy = { name = "ocs_first_fit", doc = "circuits by the order of ports" }

return frames(policy, function(self, demand)
  return circuits.first_fit(demand)
end)

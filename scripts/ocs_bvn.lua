-- ocs_bvn.lua: the demand as a sum of permutations.
-- Rule: the demand of a frame, padded to equal sums of rows and columns, as a sum of at most
-- n * n - 2 * n + 2 matchings, each held for its weight.
-- Source: Birkhoff (1946), von Neumann (1953); for circuits Mordia (Porter et al., SIGCOMM 2013);
-- circuits.lua, bvn.
local circuits = require("circuits")
local frames = require("frames")

local policy = { name = "ocs_bvn", doc = "Birkhoff and von Neumann: many matchings, no demand left" }

return frames(policy, function(self, demand)
  return circuits.bvn(demand)
end)

-- best_fit.lua: the tightest block.
-- Rule: of the free blocks, the one after which the fewest servers stay free in the racks that it
-- touches, so that racks are filled up and others stay whole; of equals the first; decline if there
-- is none.
-- Cost: looks at up to `candidates` blocks, a few words each, 30 to 100 us on 32 servers as on 65 536.
-- Source: best fit (Johnson, 1973); "node with least leftover" in GPU clusters.
local fit = require("fit")

local policy = {
  name = "best_fit",
  api = 1,
  doc = "takes the block that leaves the fewest servers free in its racks",
}

return fit(policy, "best_fit")

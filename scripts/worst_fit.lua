-- worst_fit.lua: the roomiest block; spreads jobs.
-- Rule: of the free blocks, the one after which the most servers stay free in the racks that it
-- touches, so that load is spread and every rack keeps room; of equals the first; decline if there
-- is none.
-- Cost: looks at up to `candidates` blocks, a few words each, 30 to 100 us on 32 servers as on 65 536.
-- Source: worst fit (Johnson, 1973); the default of Kubernetes (LeastAllocated) spreads likewise.
local fit = require("fit")

local policy = {
  name = "worst_fit",
  api = 1,
  doc = "takes the block that leaves the most servers free in its racks",
}

return fit(policy, "worst_fit")

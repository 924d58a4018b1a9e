-- pack_groups.lua: as few communication groups as possible.
-- Rule: of the free blocks, the one that touches the fewest communication groups, of these the one
-- with the fewest racks, of equals the first; decline if there is none. Less crosses between groups,
-- and other groups stay whole.
-- Cost: looks at up to `candidates` blocks, a few words each, 30 to 100 us on 32 servers as on 65 536.
-- Source: locality-aware consolidation (Jeon et al., USENIX ATC 2019; Tiresias, NSDI 2019), with
-- communication groups in the place of machines.
local room = require("room")

local policy = {
  name = "pack_groups",
  api = 1,
  doc = "takes the block in the fewest communication groups",
  params = {
    candidates = { default = 256, type = "integer", min = 1, doc = "blocks to look at" },
  },
}

function policy:place(job, cluster)
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  local best = cluster:best_block(job, { score = "fewest_groups", limit = self.p.candidates })
  if not best then
    return nil, "no free block"
  end
  return { servers = best.servers }, ("groups: %d, racks: %d"):format(best.groups, best.racks)
end

return policy

-- pack_groups.lua: as few communication groups as possible.
-- Rule: of the free blocks, the one that touches the fewest communication groups, of these the one
-- with the fewest racks, of equals the first; decline if there is none. Less crosses between groups,
-- and other groups stay whole.
-- Source: locality-aware consolidation (Jeon et al., USENIX ATC 2019; Tiresias, NSDI 2019), with
-- communication groups in the place of machines.
local policy = {
  name = "pack_groups",
  api = 1,
  doc = "takes the block in the fewest communication groups",
  params = {
    candidates = { default = 256, type = "integer", min = 1, doc = "blocks to look at" },
  },
}

-- How many different parts of `size` servers the block touches.
local function count(block, size)
  local seen, total = {}, 0
  for _, id in ipairs(block.servers) do
    if not seen[id // size] then
      seen[id // size] = true
      total = total + 1
    end
  end
  return total
end

function policy:place(job, cluster)
  local best = cluster:best_block(job, { score = "fewest_groups", limit = self.p.candidates })
  if not best then
    return nil, "no free block"
  end
  local rack = cluster.servers_per_rack
  local groups, racks = count(best, cluster.racks * rack), count(best, rack)
  return { servers = best.servers }, ("groups: %d, racks: %d"):format(groups, racks)
end

return policy

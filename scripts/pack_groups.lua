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
  local rack = cluster.servers_per_rack
  local n = job.rigid or cluster:predict(job).partition_degree
  local best, fewest_groups, fewest_racks
  for _, block in ipairs(n and cluster:blocks(n, { limit = self.p.candidates }) or {}) do
    local groups, racks = count(block, cluster.racks * rack), count(block, rack)
    if not best or groups < fewest_groups or (groups == fewest_groups and racks < fewest_racks) then
      best, fewest_groups, fewest_racks = block, groups, racks
    end
  end
  if not best then
    return nil, "no free block"
  end
  return { servers = best.servers }, ("groups: %d, racks: %d"):format(fewest_groups, fewest_racks)
end

return policy

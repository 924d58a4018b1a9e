-- best_fit.lua: the tightest block.
-- Rule: of the free blocks, the one after which the fewest servers stay free in the racks that it
-- touches, so that racks are filled up and others stay whole; of equals the first; decline if there
-- is none.
-- Source: best fit (Johnson, 1973); "node with least leftover" in GPU clusters.
local policy = {
  name = "best_fit",
  api = 1,
  doc = "takes the block that leaves the fewest servers free in its racks",
  params = {
    candidates = { default = 256, type = "integer", min = 1, doc = "blocks to look at" },
  },
}

-- Servers that stay free in the racks of the block.
local function left_over(block, cluster)
  local size, racks, left = cluster.servers_per_rack, {}, -#block.servers
  for _, id in ipairs(block.servers) do
    local rack = id // size
    if not racks[rack] then
      racks[rack] = true
      for server = rack * size, rack * size + size - 1 do
        left = left + (cluster:is_free(server) and 1 or 0)
      end
    end
  end
  return left
end

function policy:place(job, cluster)
  local n = job.rigid or cluster:predict(job).partition_degree
  local best, best_left
  for _, block in ipairs(n and cluster:blocks(n, { limit = self.p.candidates }) or {}) do
    local left = left_over(block, cluster)
    if not best or left < best_left then
      best, best_left = block, left
    end
  end
  if not best then
    return nil, "no free block"
  end
  return { servers = best.servers }, ("leaves %d free in its racks"):format(best_left)
end

return policy

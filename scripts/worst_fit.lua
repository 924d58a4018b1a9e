-- worst_fit.lua: the roomiest block; spreads jobs.
-- Rule: of the free blocks, the one after which the most servers stay free in the racks that it
-- touches, so that load is spread and every rack keeps room; of equals the first; decline if there
-- is none.
-- Source: worst fit (Johnson, 1973); the default of Kubernetes (LeastAllocated) spreads likewise.
local policy = {
  name = "worst_fit",
  api = 1,
  doc = "takes the block that leaves the most servers free in its racks",
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
    if not best or left > best_left then
      best, best_left = block, left
    end
  end
  if not best then
    return nil, "no free block"
  end
  return { servers = best.servers }, ("leaves %d free in its racks"):format(best_left)
end

return policy

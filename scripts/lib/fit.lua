-- fit.lua: choosing a block by how many servers stay free in the racks that it touches, for
-- policies that fill racks up or spread jobs (best_fit.lua, worst_fit.lua).
--
--   local fit = require("fit")
--   fit(policy, function(left, best) return left < best end)
--
-- adds the hook place: of the free blocks the one that is better than all before it; decline where
-- there is none.

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

return function(policy, better)
  policy.params = policy.params or {
    candidates = { default = 256, type = "integer", min = 1, doc = "blocks to look at" },
  }

  function policy:place(job, cluster)
    local n = job.rigid or cluster:predict(job).partition_degree
    local best, best_left
    for _, block in ipairs(n and cluster:blocks(n, { limit = self.p.candidates }) or {}) do
      local left = left_over(block, cluster)
      if not best or better(left, best_left) then
        best, best_left = block, left
      end
    end
    if not best then
      return nil, "no free block"
    end
    return { servers = best.servers }, ("leaves %d free in its racks"):format(best_left)
  end

  return policy
end

-- fit.lua: choosing a block by how many servers stay free in the racks that it touches, for
-- policies that fill racks up or spread jobs (best_fit.lua, worst_fit.lua).
--
--   local fit = require("fit")
--   fit(policy, "best_fit")   a score of cluster:best_block
--
-- adds the hook place: of the free blocks the first of the best; decline where there is none. It costs
-- what looking at so many blocks does, some words each, on any number of servers.
local room = require("room")

return function(policy, score)
  policy.params = policy.params or {
    candidates = { default = 256, type = "integer", min = 1, doc = "blocks to look at" },
  }

  function policy:place(job, cluster)
    if room.asks(job) then
      return room.tree(job, cluster)
    end
    local best = cluster:best_block(job, { score = score, limit = self.p.candidates })
    if not best then
      return nil, "no free block"
    end
    return { servers = best.servers }, ("leaves %d free in its racks"):format(best.left_in_racks)
  end

  return policy
end

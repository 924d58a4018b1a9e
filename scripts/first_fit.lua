-- first_fit.lua: the first free block.
-- Rule: of the free blocks of as many servers as the job needs, the first in the engine's order
-- (low group, rack and server numbers, squarish shapes first); decline if there is none.
-- Source: first fit (Johnson, 1973); the placer under every agent of PAC-ML (Parsonson et al., arXiv
-- 2301.13799).
local room = require("room")

local policy = { name = "first_fit", api = 1, doc = "takes the first free block" }

function policy:place(job, cluster)
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  local n = job.rigid or cluster:predict(job).partition_degree
  local block = n and cluster:blocks(n, { limit = 1 })[1]
  if not block then
    return nil, "no free block"
  end
  return { servers = block.servers }, "the first of shape " .. block.shape
end

return policy

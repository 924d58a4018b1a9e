-- whole_racks.lua: whole racks, so that nothing but whole racks comes free again.
-- Rule: the ways of the job's hint (else 4). Four parts go to the first free block of the shape 2x1x2:
-- one rack in each of two groups, both servers of it. Any other number takes the first free block.
-- Source: none; lesson 4 shows with it that some shapes leave no half racks behind.
local room = require("room")

local policy = { name = "whole-racks", api = 1, doc = "both servers of whole racks: none is left half" }

function policy:partition(job, cluster)
  return type(job.hint) == "table" and job.hint.degree or 4
end

function policy:place(job, cluster)
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  local n = job.rigid or cluster:predict(job).partition_degree
  local block = n and cluster:blocks(n, { shape = n == 4 and cluster.fabric == "ramp" and "2x1x2" or nil, limit = 1 })[1]
  if not block then
    return nil, "no free block"
  end
  return { servers = block.servers }, block.shape
end

return policy

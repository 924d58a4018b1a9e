-- room.lua: jobs of one size that wait for room, for policies that differ in who goes first
-- (fit_first.lua, defragment.lua, queue.lua, preempt.lua).
--
--   local room = require("room")
--   return room.degree(wanted, job, cluster, why)   in partition
--   return room.block(job, cluster)                 in place
--   if room.asks(job) then return room.tree(job, cluster) end
--
-- A job is split as wanted, fewer ways only on an empty cluster that is too small, and takes the
-- first free block; else it waits, a rigid one until a block of so many servers is free. A job that asks for a
-- place in the cluster's tree (job.required, preferred, segment) takes one, or waits for it.
local room = {}

-- A job that does not even fit the empty cluster would wait for ever.
local function none(cluster, servers)
  if cluster.busy == 0 then
    return nil, "does not fit the empty cluster"
  end
  return "wait", "no room now", { fits = servers }
end

function room.degree(wanted, job, cluster, why)
  local degrees = cluster:degrees(job, wanted)
  local largest = degrees[#degrees]
  if largest and (largest == wanted or cluster.busy == 0) then
    return largest, why
  end
  return none(cluster)
end

function room.asks(job)
  return (job.required or job.preferred or job.segment) ~= nil
end

function room.tree(job, cluster)
  local servers, _, nodes = cluster:tree_place(job)
  if servers then
    return { servers = servers }, nodes == 1 and "in one node" or ("across %d nodes"):format(nodes)
  end
  return "wait", "no place now", { fits = job.rigid }
end

function room.block(job, cluster)
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  local n = job.rigid or cluster:predict(job).partition_degree
  local block = n and cluster:blocks(n, { limit = 1 })[1]
  if block then
    return { servers = block.servers }
  end
  return none(cluster, job.rigid)
end

return room

-- strict_fifo.lua: first come, first served; nobody overtakes.
-- Rule: a job waits while one that arrived before it waits, and while there is no room for it,
-- `degree` ways (fewer only on an empty cluster that is too small). The head of the queue blocks.
-- Source: FIFO as in every batch system; see Feitelson and Rudolph, JSSPP 1995.
local policy = {
  name = "strict_fifo",
  api = 1,
  doc = "jobs start in order of arrival; the first one waits for room and the others for it",
  params = {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
  },
}

-- The job that must start before this one; nil: none.
local function ahead(job, cluster)
  for _, other in ipairs(cluster.waiting) do
    if other.id < job.id then
      return other
    end
  end
end

-- A job that does not even fit the empty cluster would wait for ever.
local function no_room(cluster)
  if cluster.busy == 0 then
    return nil, "does not fit the empty cluster"
  end
  return "wait", "no room now"
end

function policy:partition(job, cluster)
  local first = ahead(job, cluster)
  if first then
    return "wait", ("behind job %d"):format(first.id)
  end
  local degrees = cluster:degrees(job, self.p.degree)
  local largest = degrees[#degrees]
  if largest and (largest == self.p.degree or cluster.busy == 0) then
    return largest, "its turn, and there is room"
  end
  return no_room(cluster)
end

function policy:place(job, cluster)
  local first = ahead(job, cluster) -- a rigid job has not been asked before
  if first then
    return "wait", ("behind job %d"):format(first.id)
  end
  local n = job.rigid or cluster:predict(job).partition_degree
  local block = n and cluster:blocks(n, { limit = 1 })[1]
  if block then
    return { servers = block.servers }
  end
  return no_room(cluster)
end

return policy

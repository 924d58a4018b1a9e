-- fit_first.lua: whoever fits, starts.
-- Rule: a job starts as soon as there is room for it, `degree` ways (fewer only on an empty
-- cluster that is too small), else it waits; who waits is asked again in order of arrival whenever
-- a job completes, and may be overtaken by any job that fits.
-- Source: "fit-first" (fjf) of the Tiresias simulator (Gu et al., NSDI 2019).
local policy = {
  name = "fit_first",
  api = 1,
  doc = "jobs wait for room; whoever fits starts",
  params = {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
  },
}

-- A job that does not even fit the empty cluster would wait for ever.
local function no_room(cluster)
  if cluster.busy == 0 then
    return nil, "does not fit the empty cluster"
  end
  return "wait", "no room now"
end

function policy:partition(job, cluster)
  local degrees = cluster:degrees(job, self.p.degree)
  local largest = degrees[#degrees]
  if largest and (largest == self.p.degree or cluster.busy == 0) then
    return largest, "there is room"
  end
  return no_room(cluster)
end

function policy:place(job, cluster)
  local n = job.rigid or cluster:predict(job).partition_degree
  local block = n and cluster:blocks(n, { limit = 1 })[1]
  if block then
    return { servers = block.servers }
  end
  return no_room(cluster)
end

return policy

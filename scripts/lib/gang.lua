-- gang.lua: whole jobs of one size, for policies that only differ in where they put them.
--
--   local gang = require("gang")
--   local policy = { ..., params = { max_degree = gang.max_degree } }
--   policy.partition = gang.partition
--   ... local n = gang.size(job, cluster)
--
-- A job is split job.hint.degree ways, else max_degree ways (the nearest degree below that the
-- cluster can do at all), and waits until it can start on all of its servers at once.
local gang = {
  max_degree = { type = "integer", min = 1, doc = "ways to split a job (default: the scenario's)" },
}

function gang.partition(self, job, cluster)
  local wanted = type(job.hint) == "table" and job.hint.degree or self.p.max_degree
  local degrees = cluster:degrees(job, wanted)
  local largest = degrees[#degrees]
  if largest and (largest == wanted or cluster.busy == 0) then
    return largest
  end
  return "wait", ("%d ways do not fit now"):format(wanted), { retry = "on_complete" }
end

-- How many servers the job takes; nil when it cannot be placed at all now.
function gang.size(job, cluster)
  return job.rigid or cluster:predict(job).partition_degree
end

return gang

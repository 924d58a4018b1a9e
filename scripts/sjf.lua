-- sjf.lua: shortest job first, without preemption.
-- Rule: a job waits while a shorter one waits, and while there is no room for it, `degree` ways (fewer
-- only on an empty cluster that is too small). A job's length is what it takes unsplit, or its
-- duration times its servers if it is rigid: all are split alike, so the order is that of the
-- forecasts, and it can be told while there is no room to forecast for. Long jobs may starve.
-- Source: shortest job first (Conway, Maxwell and Miller, Theory of Scheduling, 1967); "shortest" of the
-- Tiresias simulator (Gu et al., NSDI 2019) is its preemptive form.
local policy = {
  name = "sjf",
  api = 1,
  doc = "the shortest waiting job starts first; nobody is preempted",
  params = {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
  },
}

-- Server-seconds of work.
local function length(job)
  return job.rigid and job.rigid * job.duration or job.sequential_jct
end

-- Does a start before b? Of equals the one that arrived first.
local function before(a, b)
  local x, y = length(a), length(b)
  return x < y or (x == y and a.id < b.id)
end

-- The waiting job that must start before this one; nil: none.
local function ahead(job, cluster)
  for _, other in ipairs(cluster.waiting) do
    if other.id ~= job.id and before(other, job) then
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

function policy:order_queue(queue, cluster)
  table.sort(queue, before)
  return queue, "shortest first"
end

function policy:partition(job, cluster)
  local first = ahead(job, cluster)
  if first then
    return "wait", ("job %d is shorter"):format(first.id)
  end
  local degrees = cluster:degrees(job, self.p.degree)
  local largest = degrees[#degrees]
  if largest and (largest == self.p.degree or cluster.busy == 0) then
    return largest, "the shortest, and there is room"
  end
  return no_room(cluster)
end

function policy:place(job, cluster)
  local first = ahead(job, cluster) -- a rigid job has not been asked before
  if first then
    return "wait", ("job %d is shorter"):format(first.id)
  end
  local n = job.rigid or cluster:predict(job).partition_degree
  local block = n and cluster:blocks(n, { limit = 1 })[1]
  if block then
    return { servers = block.servers }
  end
  return no_room(cluster)
end

return policy

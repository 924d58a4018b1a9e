-- easy_classic.lua: EASY backfilling as it was published: easy_backfill.lua, and jobs that run on beside the head.
-- Rule: the head of the queue starts as soon as there is room for it. If it has to wait, it has a
-- reservation: the time at which, with the running jobs ending as forecast, there will be enough servers. A
-- later job that fits now starts before it if it ends by then, or if it needs no more than the servers that
-- will be left over beside the head. Servers are counted: where they have to form a block, what is left over
-- may be none that the head can spare, and it starts later than was reserved.
-- Source: EASY backfilling (Lifka, JSSPP 1995).
local room = require("room")

local policy = {
  name = "easy_classic",
  api = 1,
  doc = "jobs start in order of arrival; later ones fill gaps before the first, or run on beside it",
  params = {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
  },
}

-- The first in the queue if that is not this job; waiting jobs stand in the order in which they came.
local function head_before(job, cluster)
  local head = cluster.waiting[1]
  return head and head.id < job.id and head or nil
end

-- When the head, of n servers, will start, and how many servers will then be left over.
local function reservation(head, n, cluster)
  local at, left, first = cluster:free_at(room.asks(head) and head or n), cluster.free - n, nil
  if not at then
    return cluster.now, 0 -- never, or unknown (published semantics): nobody overtakes
  end
  for _, job in ipairs(cluster.running) do
    first = math.min(first or job.finish, job.finish)
  end
  if at <= cluster.now then
    at = first or cluster.now -- it waits though there is room (it lacks memory): for an end
  end
  for _, job in ipairs(cluster.running) do
    left = left + (job.finish <= at and #job.servers or 0)
  end
  return at, left
end

-- May the job with this forecast start now? Else nil and what to answer.
local function turn(self, job, forecast, cluster)
  if not forecast.feasible then
    if cluster.busy == 0 then
      return nil, nil, "does not fit the empty cluster"
    end
    return nil, "wait", "no room now", { fits = job.rigid }
  end
  local head = head_before(job, cluster)
  if not head then
    return true, nil, "its turn, and there is room"
  end
  local at, left = reservation(head, head.rigid or self.p.degree, cluster)
  if forecast.finish <= at then
    return true, nil, ("ends before job %d starts"):format(head.id)
  end
  if (job.rigid or forecast.partition_degree) <= left then
    return true, nil, ("runs beside job %d, which leaves %d servers"):format(head.id, left)
  end
  return nil, "wait", ("would delay job %d, which starts at %.4g s"):format(head.id, at)
end

-- Offered are only those who may start, as in easy_backfill.lua: who ends before the head starts, and who is no
-- larger than what is left over beside it.
policy.queue = { list = false, order = "backfill" }

function policy:order_queue(_, cluster)
  local head, now = cluster.waiting[1], cluster.now
  if cluster.busy == 0 or #cluster.waiting < 2 then
    return nil
  end
  local n, at, left = head.rigid or self.p.degree, math.huge, 0
  if cluster:free_at(room.asks(head) and head or n) ~= now then
    at, left = reservation(head, n, cluster)
  end
  local most = cluster.free
  local offered = cluster:waiting_upto(math.max(math.min(most, left), 1), left > 0 and math.huge or 0, most + 16)
  -- a little more than the time that is left, so that rounding leaves nobody out
  for _, job in ipairs(cluster:waiting_upto(most, (at - now) * (1 + 1e-9) + 1e-9, most + 16)) do
    if job.rigid and job.rigid > left then
      offered[#offered + 1] = job
    end
  end
  table.sort(offered, function(a, b) return a.id < b.id end)
  return offered, "those who may start"
end

function policy:partition(job, cluster)
  local degree = self.p.degree
  local degrees = cluster:degrees(job, degree)
  if degrees[#degrees] ~= degree then
    if cluster.busy > 0 then
      return "wait", "no room now"
    end
    degree = degrees[#degrees] or degree -- a cluster that is too small for more
  end
  local may, answer, why, retry = turn(self, job, cluster:predict(job, { degree = degree }), cluster)
  return may and degree or answer, why, retry
end

function policy:place(job, cluster)
  local forecast = cluster:predict(job)
  local may, answer, why, retry = turn(self, job, forecast, cluster)
  if not may then
    return answer, why, retry
  end
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  return { servers = cluster:blocks(job.rigid or forecast.partition_degree, { limit = 1 })[1].servers }
end

return policy

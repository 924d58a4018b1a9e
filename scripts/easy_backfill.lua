-- easy_backfill.lua: first come, first served, but gaps are filled.
-- Rule: the head of the queue starts as soon as there is room for it. If it has to wait, it has a
-- reservation: the time at which, with the running jobs ending as forecast, a block for it will be
-- free. A later job starts before it if it fits now and ends, by its forecast, by that time, so the
-- head is never delayed. (EASY also lets a job run on beyond it on servers that the head will not
-- need. That is left out: whether such spare servers are a block cannot be told beforehand.)
-- Source: EASY backfilling (Lifka, JSSPP 1995).
local room = require("room")

local policy = {
  name = "easy_backfill",
  api = 1,
  doc = "jobs start in order of arrival; later ones fill gaps that do not delay the first",
  params = {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
  },
}

-- The first in the queue if that is not this job; waiting jobs stand in the order in which they came.
local function head_before(job, cluster)
  local head = cluster.waiting[1]
  return head and head.id < job.id and head or nil
end

-- The first end of a running job; now where none runs.
local function first_end(cluster)
  local first
  for _, job in ipairs(cluster.running) do
    first = math.min(first or job.finish, job.finish)
  end
  return first or cluster.now
end

-- When there will be a block for the head, of n servers, or the place that it asks for; the running jobs end one
-- after the other. A head that waits though there is one (it lacks memory) waits for an end.
local function reservation(head, n, cluster)
  local at = cluster:free_at(room.asks(head) and head or n)
  if not at then
    return cluster.now -- never, or unknown (published semantics): nobody overtakes
  end
  return at > cluster.now and at or first_end(cluster)
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
  local at = reservation(head, head.rigid or self.p.degree, cluster)
  if forecast.finish > at then
    return nil, "wait", ("would delay job %d, which starts at %.4g s"):format(head.id, at)
  end
  return true, nil, ("ends before job %d starts"):format(head.id)
end

-- Offered are only those who may start: who is larger than what is free, or lasts longer than until the head
-- starts, would only be asked to wait again. After each start this is asked again, so that no more are named
-- than can start on what is free, and some for those that are refused.
policy.queue = { list = false, order = "backfill" }

function policy:order_queue(_, cluster)
  local head, most, now = cluster.waiting[1], cluster.free, cluster.now
  if cluster.busy == 0 or #cluster.waiting < 2 then
    return nil
  end
  local n = head.rigid or self.p.degree
  local free = cluster:fits(n)
  if room.asks(head) then
    free = cluster:free_at(head) == now
  end
  local ends = free and math.huge or reservation(head, n, cluster)
  local offered = {}
  -- a little more than the time that is left, so that rounding leaves nobody out
  for _, job in ipairs(cluster:waiting_upto(most, (ends - now) * (1 + 1e-9) + 1e-9, most + 16)) do
    if not job.rigid or now + job.duration <= ends then
      offered[#offered + 1] = job
    end
  end
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

-- tree_fit.lua: the lowest level of the cluster's tree that can hold the job, there the tightest node.
-- Rule: a job goes under one node of the lowest level that has room for it, as Slurm's topology/tree does, between
-- the levels that it prefers and requires; of the nodes of a level the one with the least room (`pick` tight), with
-- the most (loose), or the first; below it the same again, and where no node alone is enough, the fullest one whole
-- and the rest in the tightest. The queue by `order`: nobody overtakes (fifo), whoever fits starts (any), or later
-- jobs start that do not delay the first one (backfill), by forecasts.
-- Source: Slurm's topology guide, "topology/tree" (SchedMD); EASY backfilling (Lifka, JSSPP 1995).
local policy = {
  name = "tree_fit",
  api = 1,
  doc = "jobs lie under the tightest node of the lowest level that can hold them",
  params = {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
    order = { default = "backfill", type = "string", doc = "fifo, any or backfill: who may overtake" },
    pick = { default = "tight", type = "string", doc = "tight, loose or first: which of the nodes that can hold it" },
  },
}

-- Of the waiting jobs only those are asked that this order allows.
policy.queue = { list = false, order = "order" }

-- The first in the queue if that is not this job; waiting jobs stand in the order in which they came.
local function head_before(job, cluster)
  local head = cluster.waiting[1]
  return head and head.id ~= job.id and head.id < job.id and head or nil
end

-- The time from which there is a place for the first job; nil: it is not known. Of a job with a graph it is that of
-- a block, since it has not been split yet.
local function starts(self, head, cluster)
  return cluster:free_at(head.rigid and head or self.p.degree)
end

-- May the job start now, by the order? Else what to answer.
local function turn(self, job, cluster, finish)
  local head = head_before(job, cluster)
  if not head or self.p.order == "any" then
    return true
  end
  if self.p.order == "fifo" then
    return false, "wait", ("behind job %d"):format(head.id)
  end
  local at = starts(self, head, cluster)
  if not at or finish > at then
    return false, "wait", ("would delay job %d"):format(head.id)
  end
  return true
end

local function none(job, cluster)
  if cluster.busy == 0 and not job.required then
    return nil, "does not fit the empty cluster"
  end
  return "wait", "no place now", { fits = job.rigid }
end

function policy:order_queue(_, cluster)
  local head = cluster.waiting[1]
  if self.p.order == "any" or not head then
    return nil
  end
  if self.p.order == "fifo" then
    return { head }, "the first one"
  end
  local at, now = starts(self, head, cluster), cluster.now
  if not at or at <= now then
    return { head }, "the first one"
  end
  local offered = {}
  -- a little more than the time that is left, so that rounding leaves nobody out
  for _, job in ipairs(cluster:waiting_upto(cluster.free, (at - now) * (1 + 1e-9) + 1e-9, cluster.free + 16)) do
    if not job.rigid or (now + job.duration <= at and cluster:fits_place(job)) then
      offered[#offered + 1] = job
    end
  end
  return offered, "those who may start"
end

function policy:partition(job, cluster)
  local degree = self.p.degree
  local degrees = cluster:degrees(job, degree)
  local largest = degrees[#degrees]
  if largest and (largest == degree or cluster.busy == 0) then
    return largest
  end
  return none(job, cluster)
end

function policy:place(job, cluster)
  local servers, _, spread = cluster:tree_place(job, { pick = self.p.pick })
  if not servers then
    return none(job, cluster)
  end
  local finish = self.p.order == "backfill" and cluster:predict(job, { servers = servers }).finish or cluster.now
  local may, answer, why = turn(self, job, cluster, finish)
  if not may then
    return answer, why
  end
  return { servers = servers }, spread == 1 and "in one node" or ("across %d nodes"):format(spread)
end

return policy

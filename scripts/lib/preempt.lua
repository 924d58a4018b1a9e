-- preempt.lua: a queue with preemption, for policies that rank jobs (las_preempt.lua, srpt.lua).
--
--   local preempt = require("preempt")
--   preempt(policy, rank) adds the hooks queue_key, partition, place and review, where rank(self, job)
--   is a number, which does not change while the job waits: the lower, the sooner. Jobs of the same
--   rank never disturb each other. Needs the parameter `degree`.
--   preempt(policy, rank, by): what the rank of a running job comes to, as cluster:stops takes it
--   ("work", or "service" and a list of levels): by(self) -> by [, levels]. That spares asking for
--   the rank of every running job at every event.

local room = require("room")

-- Running jobs of a higher rank than that, the highest and of these the latest first.
local function victims(rank, self, above, cluster)
  local list = {}
  for _, job in ipairs(cluster.running) do
    local its = rank(self, job)
    if its > above then
      list[#list + 1] = { job = job, rank = its, id = job.id }
    end
  end
  table.sort(list, function(a, b)
    return a.rank > b.rank or (a.rank == b.rank and a.id > b.id)
  end)
  for i, entry in ipairs(list) do
    list[i] = entry.job
  end
  return list
end

-- The first `count` of a list.
local function first_of(list, count)
  return table.move(list, 1, count, 1, {})
end

-- As few of these jobs as make a block of n servers free if they stop; nil: all of them do not. The
-- more stop, the more is free, so that halving finds the number.
local function fewest(list, n, cluster)
  if #list == 0 or not cluster:fits(n, list) then
    return nil
  end
  local too_few, enough = 0, #list
  while enough - too_few > 1 do
    local middle = (too_few + enough) // 2
    if cluster:fits(n, first_of(list, middle)) then
      enough = middle
    else
      too_few = middle
    end
  end
  return first_of(list, enough)
end

return function(policy, rank, by)
  policy.queue = { head = "blocks", ties = "pass", behind = "job %d goes first" }

  function policy:queue_key(job)
    return rank(self, job)
  end

  function policy:partition(job, cluster)
    return room.degree(self.p.degree, job, cluster, "its turn, and there is room")
  end

  function policy:place(job, cluster)
    return room.block(job, cluster)
  end

  -- Stops as few jobs as give the first waiting one its room. Who is stopped is offered again at
  -- once, and so waits in the queue like everybody else.
  function policy:review(event, cluster)
    local first = cluster:first_waiting()
    local n = first and (first.rigid or self.p.degree)
    if not first or cluster:fits(n) then
      return nil
    end
    local above, stopped = rank(self, first), nil
    if by then
      local what, levels = by(self)
      stopped = cluster:stops(n, what, above, levels)
    else
      stopped = fewest(victims(rank, self, above, cluster), n, cluster)
    end
    if not stopped then
      return nil
    end
    local actions = {}
    for i, job in ipairs(stopped) do
      actions[i] = { "preempt", job = job }
      actions[#stopped + i] = { "resume", job = job }
    end
    return actions, ("job %d goes first"):format(first.id)
  end
end

-- preempt.lua: a queue with preemption, for policies that rank jobs (las_preempt.lua, srpt.lua).
--
--   local preempt = require("preempt")
--   preempt(policy, rank, why) adds the hooks order_queue, partition, place and review, where
--   rank(self, job) is a number: the lower, the sooner. Jobs of the same rank never disturb each
--   other. Needs the parameter `degree`.

local room = require("room")

-- Does a go before b? Of equal ranks the one that arrived first.
local function before(rank, self, a, b)
  local x, y = rank(self, a), rank(self, b)
  return x < y or (x == y and a.id < b.id)
end

local function first_waiting(rank, self, cluster, except)
  local first
  for _, job in ipairs(cluster.waiting) do
    if job.id ~= except and (not first or before(rank, self, job, first)) then
      first = job
    end
  end
  return first
end

-- Running jobs of a higher rank, the highest and of these the latest first.
local function victims(rank, self, job, cluster)
  local list = {}
  for _, other in ipairs(cluster.running) do
    if rank(self, other) > rank(self, job) then
      list[#list + 1] = other
    end
  end
  table.sort(list, function(a, b)
    return before(rank, self, b, a)
  end)
  return list
end

return function(policy, rank, why)
  function policy:order_queue(queue, cluster)
    table.sort(queue, function(a, b)
      return before(rank, self, a, b)
    end)
    return queue, why
  end

  local function behind(self, job, cluster)
    local first = first_waiting(rank, self, cluster, job.id)
    if first and rank(self, first) < rank(self, job) then
      return ("job %d goes first"):format(first.id)
    end
  end

  function policy:partition(job, cluster)
    local held = behind(self, job, cluster)
    if held then
      return "wait", held
    end
    return room.degree(self.p.degree, job, cluster, "its turn, and there is room")
  end

  function policy:place(job, cluster)
    local held = behind(self, job, cluster)
    if held then
      return "wait", held
    end
    return room.block(job, cluster)
  end

  -- Stops as few jobs as give the first waiting one its room. Who is stopped is offered again at
  -- once, and so waits in the queue like everybody else.
  function policy:review(event, cluster)
    local first = first_waiting(rank, self, cluster)
    local n = first and (first.rigid or self.p.degree)
    if not first or cluster:fits(n) then
      return nil
    end
    local actions, stopped = {}, {}
    for _, other in ipairs(victims(rank, self, first, cluster)) do
      stopped[#stopped + 1] = other
      actions[#actions + 1] = { "preempt", job = other }
      local then_ = cluster:after(actions)
      if then_ and then_:fits(n) then
        for _, job in ipairs(stopped) do
          actions[#actions + 1] = { "resume", job = job }
        end
        return actions, ("job %d goes first"):format(first.id)
      end
    end
  end
end

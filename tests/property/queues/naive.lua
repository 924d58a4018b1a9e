-- naive.lua: the rules of the shipped queues written down plainly. Everybody who waits is asked at
-- every completion and looks at the whole queue himself; nothing is declared. The parameter `rule`
-- says which.
local room = require("room")
local easy = require("easy_backfill")

local policy = {
  name = "naive",
  api = 1,
  params = {
    degree = { default = 4, type = "integer", min = 1 },
    rule = { default = "fit_first", type = "string" },
  },
}

local function work(job)
  return job.rigid and job.rigid * job.duration or job.sequential_jct
end

local RANK = {
  strict_fifo = function(job) return job.id end,
  sjf = work,
  edf = function(job) return job.deadline end,
  srpt = function(job)
    if job.rigid then
      return job.rigid * (job.remaining or job.duration)
    end
    return job.sequential_jct * (1 - job.steps_done / job.steps)
  end,
  las_preempt = function(job)
    local had = job.attained
    return had < 3250 and 0 or had < 7200 and 1 or had < 18000 and 2 or 3
  end,
}
local PREEMPTS = { srpt = true, las_preempt = true }

local function before(rank, a, b)
  local x, y = rank(a), rank(b)
  return x < y or (x == y and a.id < b.id)
end

function policy:order_queue(queue)
  local rank = RANK[self.p.rule]
  if not rank then
    return nil
  end
  table.sort(queue, function(a, b)
    return before(rank, a, b)
  end)
  return queue
end

local function bound(self, job, cluster)
  local rank = RANK[self.p.rule]
  for _, other in ipairs(rank and cluster.waiting or {}) do
    if other.id ~= job.id then
      local binds = before(rank, other, job)
      if PREEMPTS[self.p.rule] then
        binds = rank(other) < rank(job)
      end
      if binds then
        return true
      end
    end
  end
end

function policy:partition(job, cluster)
  if self.p.rule == "easy_backfill" then
    local answer, why = easy.partition(self, job, cluster)
    return answer, why
  end
  if bound(self, job, cluster) then
    return "wait", "behind"
  end
  local answer, why = room.degree(self.p.degree, job, cluster, "")
  return answer, why
end

function policy:place(job, cluster)
  if self.p.rule == "easy_backfill" then
    local answer, why = easy.place(self, job, cluster)
    return answer, why
  end
  if bound(self, job, cluster) then
    return "wait", "behind"
  end
  local answer, why = room.block(job, cluster)
  return answer, why
end

function policy:review(_, cluster)
  local rank, first = RANK[self.p.rule], nil
  if not PREEMPTS[self.p.rule] then
    return nil
  end
  for _, job in ipairs(cluster.waiting) do
    if not first or before(rank, job, first) then
      first = job
    end
  end
  local n = first and (first.rigid or self.p.degree)
  if not first or cluster:fits(n) then
    return nil
  end
  local list, actions, stopped = {}, {}, {}
  for _, other in ipairs(cluster.running) do
    if rank(other) > rank(first) then
      list[#list + 1] = other
    end
  end
  table.sort(list, function(a, b)
    return before(rank, b, a)
  end)
  for _, other in ipairs(list) do
    stopped[#stopped + 1] = other
    actions[#actions + 1] = { "preempt", job = other }
    local later = cluster:after(actions)
    if later and later:fits(n) then
      for _, job in ipairs(stopped) do
        actions[#actions + 1] = { "resume", job = job }
      end
      return actions
    end
  end
end

return policy

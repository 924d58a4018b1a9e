-- fewest_late.lua: the queue is planned ahead so that as few jobs as possible come late.
-- Rule: waiting jobs are laid into the servers that running jobs give back, earliest deadline first, each as
-- early as it fits and with the degree, from `least` to `most` ways, that is in time for the fewest
-- server-seconds (up to `spare` more count as none: then the fastest). Where one comes late, the job that takes
-- most server-seconds up to there is left out, and all are laid again. Who is planned for now starts, the others
-- wait; who is left out is declined. With `preempt` running jobs are laid anew, too, and those that the plan has
-- for later give way (corrected semantics only). Blocks are not looked at while planning: a job whose turn it is
-- waits for one. A degree takes as long as it was last forecast for that graph.
-- A decision costs (waiting jobs)^2 x (running jobs) steps, a few where nobody waits and there is room.
-- Source: Moore, Management Science 1968 (Hodgson's algorithm; there for one machine and jobs that are all known).
local giveway, room = require("giveway"), require("room")
local timetable, ways = require("timetable"), require("ways")

local policy = {
  name = "fewest_late",
  api = 1,
  doc = "waiting jobs are planned ahead; who makes others late is declined, the most work first",
  params = {
    least = { default = 4, type = "integer", min = 1, doc = "fewest ways to split a job" },
    most = { default = 16, type = "integer", min = 1, doc = "most ways; powers of two times least are tried" },
    preempt = { default = false, doc = "may running jobs be stopped for others?" },
    spare = { default = 0.02, min = 0, doc = "more work than the least that counts as none" },
  },
}

-- A running job goes on as it is, or stops.
local function to_the_end(job, now)
  local time = job.finish - now
  return { { servers = #job.servers, time = time, work = time * #job.servers } }
end

-- The timetable of the waiting jobs and job, if given; with `preempt` of the running ones, too.
local function plan(self, cluster, job)
  local list = {}
  local function add(one, running)
    local choices = running and to_the_end(one, cluster.now) or ways.of(self, one, cluster)
    list[#list + 1] = { id = one.id, deadline = one.deadline, choices = choices, running = running and one }
  end
  if job then
    add(job, false)
  end
  for _, waiting in ipairs(cluster.waiting) do
    if not job or waiting.id ~= job.id then
      add(waiting, false)
    end
  end
  for _, running in ipairs(self.p.preempt and cluster.running or {}) do
    add(running, true)
  end
  return timetable.make(list, cluster, self.p.preempt)
end

-- What the plan has for this job now: a choice; else "wait" or nil with the reason.
local function turn(self, job, cluster)
  local now = not self.p.preempt and ways.at_once(self, job, cluster)
  if now then return now end
  for _, entry in ipairs(plan(self, cluster, job)) do
    if entry.id == job.id and entry.from > cluster.now then
      return "wait", ("its turn comes at %.6g s, %d ways"):format(entry.from, entry.choice.servers)
    elseif entry.id == job.id and not cluster:fits(entry.choice.servers) then
      if cluster.busy == 0 then
        return nil, ("no block of %d fits the empty cluster"):format(entry.choice.servers)
      end
      return "wait", ("no block of %d is free"):format(entry.choice.servers)
    elseif entry.id == job.id then
      return entry.choice
    end
  end
  return nil, "it would be late, or make others late that take less"
end

-- ---- hooks ----

function policy:review(event, cluster)
  local kinds = { wait = true, completion = true, expiry = true }
  if not self.p.preempt or #cluster.waiting == 0 or not kinds[event.kind] then
    return nil
  end
  local laid, out = plan(self, cluster)
  return giveway(laid, out, cluster)
end

function policy:order_queue(queue, cluster)
  local rank = {}
  for i, entry in ipairs(plan(self, cluster)) do
    rank[entry.id] = i
  end
  table.sort(queue, function(a, b)
    local x, y = rank[a.id] or math.huge, rank[b.id] or math.huge
    return x < y or (x == y and a.id < b.id)
  end)
  return queue, "as planned, earliest deadline first"
end

function policy:partition(job, cluster)
  local choice, why = turn(self, job, cluster)
  if type(choice) ~= "table" then
    return choice, why
  end
  for _, degree in ipairs(cluster:degrees(job, choice.servers)) do
    if degree == choice.servers then
      return degree, ("in time with %d ways, for the fewest server-seconds"):format(degree)
    end
  end
  if cluster.busy == 0 then return nil, "that degree may not be answered on the empty cluster" end
  return "wait", "a block is free, but the degree may not be answered yet", { retry = choice.time / 1000 }
end

function policy:place(job, cluster)
  if job.rigid then
    local choice, why = turn(self, job, cluster)
    if type(choice) ~= "table" then
      return choice, why
    end
  end
  return room.block(job, cluster)
end

return policy

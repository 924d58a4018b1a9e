-- ways.lua: the ways to run a job, for policies that plan (fewest_late.lua).
--
--   local ways = require("ways")
--   ways.of(self, job, cluster)        { { servers =, time =, work = }, ... }, seconds and server-seconds
--   ways.at_once(self, job, cluster)   the one to start now, where that needs no plan; else nil
--
-- Degrees are `least` times powers of two up to `most`, all parameters of the policy. The fastest of those
-- come first that take at most `spare` more work than the least, then the others, the least work first. How
-- long a degree takes is forecast where a block is free; else it is what was last forecast for that graph,
-- kept in self.mem, and before that as if splitting were free.
local ways = {}

local GRAPHS = 100 -- so many are remembered

-- Server-seconds at this degree over those of the unsplit job; as if splitting were free until a forecast is known.
local function overhead(mem, job, degree, left, cluster)
  local forecast = cluster:predict(job, { degree = degree })
  local of = mem.graph[job.graph]
  if not of and mem.graphs < GRAPHS then
    of = {}
    mem.graph[job.graph], mem.graphs = of, mem.graphs + 1
  end
  local key = "x" .. degree
  if forecast.feasible then
    local now = forecast.jct * degree / left
    if of then
      of[key] = now
    end
    return now
  end
  return of and of[key] or 1
end

-- The fastest of those that take hardly more work than the least, then the others, the least work first.
local function in_order(list, spare)
  local least = math.huge
  for _, choice in ipairs(list) do
    least = math.min(least, choice.work)
  end
  local function key(choice)
    local cheap = choice.work <= least * (1 + spare)
    return cheap and 0 or choice.work, choice.time
  end
  table.sort(list, function(a, b)
    local x, s = key(a)
    local y, t = key(b)
    return x < y or (x == y and s < t)
  end)
  return list
end

function ways.of(policy, job, cluster)
  policy.mem.graph, policy.mem.graphs = policy.mem.graph or {}, policy.mem.graphs or 0
  if job.rigid then
    return { { servers = job.rigid, time = job.duration, work = job.rigid * job.duration } }
  end
  local list, left = {}, job.sequential_jct * (1 - job.steps_done / job.steps)
  local degree = policy.p.least
  while degree <= math.min(policy.p.most, cluster.servers) do
    local work = left * overhead(policy.mem, job, degree, left, cluster)
    list[#list + 1] = { servers = degree, time = work / degree, work = work }
    degree = 2 * degree
  end
  return in_order(list, policy.p.spare)
end

-- What a plan would come to where nobody else waits and room is left for every way up to the first in time.
function ways.at_once(policy, job, cluster)
  local waiting = cluster.waiting
  if #waiting > 1 or (#waiting == 1 and waiting[1].id ~= job.id) then
    return nil
  end
  for _, way in ipairs(ways.of(policy, job, cluster)) do
    if way.servers > cluster.free then
      return nil
    elseif cluster.now + way.time <= job.deadline then
      return cluster:fits(way.servers) and way or nil
    end
  end
end

return ways

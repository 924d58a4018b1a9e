-- giveway.lua: running jobs that give way to one that a timetable has for now (fewest_late.lua).
--
--   local giveway = require("giveway")
--   return giveway(laid, out, cluster)   in review, with what timetable.make(list, cluster, true) gave
--
-- Entries of running jobs have `running`, the job. nil: nobody needs to.

-- The first that the plan has for now and for whom no block is free.
local function without_block(list, cluster)
  for _, entry in ipairs(list) do
    if not entry.running and entry.from <= cluster.now and not cluster:fits(entry.choice.servers) then
      return entry
    end
  end
end

-- Running jobs that are left out, then those that are planned for later, the latest deadline first.
local function who_can_stop(list, out, now)
  local jobs = {}
  for _, entry in ipairs(out) do
    jobs[#jobs + 1] = entry.running or nil
  end
  for i = #list, 1, -1 do
    if list[i].running and list[i].from > now then
      jobs[#jobs + 1] = list[i].running
    end
  end
  return jobs
end

-- As many of these as make a block free, each offered again at once: it waits, or is declined, like any other.
local function stop(jobs, entry, cluster)
  local actions = {}
  for count, job in ipairs(jobs) do
    actions[count] = { "preempt", job = job }
    local after = cluster:after(actions)
    if after and after:fits(entry.choice.servers) then
      for i = 1, count do
        actions[count + i] = { "resume", job = jobs[i] }
      end
      return actions, ("job %d goes first"):format(entry.id)
    end
  end
end

return function(laid, out, cluster)
  local entry = without_block(laid, cluster)
  if entry then
    return stop(who_can_stop(laid, out, cluster.now), entry, cluster)
  end
end

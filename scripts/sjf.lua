-- sjf.lua: shortest job first, without preemption.
-- Rule: a job waits while a shorter one waits, and while there is no room for it, `degree` ways (fewer
-- only on an empty cluster that is too small). A job's length is what it takes unsplit, or its
-- duration times its servers if it is rigid: all are split alike, so the order is that of the
-- forecasts, and it can be told while there is no room to forecast for. Long jobs may starve.
-- Source: shortest job first (Conway, Maxwell and Miller, Theory of Scheduling, 1967); "shortest" of the
-- Tiresias simulator (Gu et al., NSDI 2019) is its preemptive form.
local queue = require("queue")

local policy = {
  name = "sjf",
  api = 1,
  doc = "the shortest waiting job starts first; nobody is preempted",
}

return queue(policy, {
  -- Server-seconds of work.
  key = function(job)
    return job.rigid and job.rigid * job.duration or job.sequential_jct
  end,
  why = "job %d is shorter",
  turn = "the shortest, and there is room",
})

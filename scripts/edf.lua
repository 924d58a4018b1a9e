-- edf.lua: earliest deadline first, without preemption.
-- Rule: a job waits while one with an earlier deadline waits, and while there is no room for it,
-- `degree` ways (fewer only on an empty cluster that is too small). Jobs without a deadline come
-- last, in order of arrival. Who can no longer meet its deadline is blocked by the engine.
-- Source: Liu and Layland, JACM 1973 (there for one processor and with preemption).
local queue = require("queue")

local policy = {
  name = "edf",
  api = 1,
  doc = "the waiting job with the earliest deadline starts first; nobody is preempted",
}

return queue(policy, {
  key = function(job)
    return job.deadline
  end,
  why = "job %d is due earlier",
  turn = "the first one due, and there is room",
})

-- queue.lua: a queue in a fixed order without preemption, for policies that say who goes first
-- (edf.lua, sjf.lua, strict_fifo.lua).
--
--   local queue = require("queue")
--   return queue(policy, { key = function(job) return job.deadline end, why = "job %d is due earlier",
--                          turn = "the first one due, and there is room" })
--
-- adds the hooks queue_key, partition and place: the job with the least key goes first, of equal ones
-- the one that arrived first. Nobody is asked while a job that goes before it waits, and the first one
-- waits while there is no room for it, `degree` ways (fewer only on an empty cluster that is too
-- small). Needs the parameter `degree`.

local room = require("room")

return function(policy, rule)
  policy.params = policy.params or {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
  }
  policy.queue = { head = "blocks", behind = rule.why }

  function policy:queue_key(job)
    return rule.key(job)
  end

  function policy:partition(job, cluster)
    return room.degree(self.p.degree, job, cluster, rule.turn)
  end

  function policy:place(job, cluster)
    return room.block(job, cluster)
  end

  return policy
end

-- queue.lua: a queue in a fixed order without preemption, for policies that say who goes first
-- (edf.lua, sjf.lua, strict_fifo.lua).
--
--   local queue = require("queue")
--   queue(policy, { before = function(a, b) ... end, why = "job %d is due earlier",
--                   turn = "the first one due, and there is room" })
--
-- adds the hooks partition and place: a job waits while one that goes before it waits, and while
-- there is no room for it, `degree` ways (fewer only on an empty cluster that is too small). With
-- `order`, the reason for the order, also order_queue. Needs the parameter `degree`.

local room = require("room")

-- The waiting job that must start before this one; nil: none.
local function ahead(rule, job, cluster)
  for _, other in ipairs(cluster.waiting) do
    if other.id ~= job.id and rule.before(other, job) then
      return other
    end
  end
end

return function(policy, rule)
  policy.params = policy.params or {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
  }

  if rule.order then
    function policy:order_queue(queue, cluster)
      table.sort(queue, rule.before)
      return queue, rule.order
    end
  end

  function policy:partition(job, cluster)
    local first = ahead(rule, job, cluster)
    if first then
      return "wait", rule.why:format(first.id)
    end
    return room.degree(self.p.degree, job, cluster, rule.turn)
  end

  function policy:place(job, cluster)
    local first = ahead(rule, job, cluster) -- a rigid job has not been asked before
    if first then
      return "wait", rule.why:format(first.id)
    end
    return room.block(job, cluster)
  end

  return policy
end

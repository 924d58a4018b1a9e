-- hold_if_near.lua: who is nearly done waits for the repair, all others go on elsewhere.
-- Rule: a job that a failure stopped and that has done at least `share` of its work keeps its
-- servers until they are mended, since going on elsewhere, or smaller, would cost it more than it
-- has left; one that failures have stopped `most` times gives its place up and queues; all others
-- go on at once with others in place of what is broken, and queue where there are none.
-- Source: none, an example of the hook failure; how long a repair takes is not known to it.
local policy = {
  name = "hold_if_near",
  doc = "stopped jobs that are nearly done wait for the repair, others go on elsewhere",
  api = 1,
  params = {
    share = { default = 0.9, min = 0, max = 1, doc = "of its work, from which on a job waits" },
    most = { default = 5, type = "integer", min = 1, doc = "stops after which a job queues" },
  },
}

function policy:failure(job, what, cluster)
  local stops = self.mem[job.id] or 0
  self.mem[job.id] = stops + 1
  if job.steps_done / job.steps >= self.p.share then
    return "hold", what.name .. " broke, and it is nearly done"
  end
  if stops + 1 >= self.p.most then
    return "requeue", "stopped " .. stops + 1 .. " times"
  end
  return "spare", what.name .. " broke"
end

return policy

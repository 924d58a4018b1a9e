-- srpt.lua: shortest remaining processing time first, with preemption.
-- Rule: a job's remaining work is what its unfinished steps take unsplit (rigid: its servers times
-- the time left). The waiting job with the least goes first, and stops as few running jobs with
-- more left as it needs, those with the most first. Jobs are split `degree` ways. Stopped jobs keep
-- their finished steps.
-- Source: Schrage, Operations Research 1968; "shortest-gpu" (remaining time times GPUs) of the
-- Tiresias simulator (Gu et al., NSDI 2019).
local preempt = require("preempt")

local policy = {
  name = "srpt",
  api = 1,
  doc = "the job with the least work left goes first, and stops others for it",
  params = {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
  },
}

local function left(self, job)
  if job.rigid then
    return job.rigid * (job.remaining or job.duration)
  end
  return job.sequential_jct * (1 - job.steps_done / job.steps)
end

preempt(policy, left, function() return "work" end)

return policy

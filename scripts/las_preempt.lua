-- las_preempt.lua: least attained service first, with preemption.
-- Rule: a job's service is the server-seconds of training that it has had; with each threshold that
-- it passes it falls to the next level. A waiting job of a lower level goes before, and stops as few
-- running jobs of higher levels as it needs; inside a level jobs run in order of arrival and nobody
-- is stopped. Jobs are split `degree` ways. Stopped jobs keep their finished steps. While somebody
-- waits, the next passing of a threshold is looked at when it happens.
-- Source: discretised two-dimensional LAS of Tiresias (Gu et al., NSDI 2019), with its thresholds.
local preempt = require("preempt")

local policy = {
  name = "las_preempt",
  api = 1,
  doc = "who has had least service goes first, and stops others for it",
  params = {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
    first = { default = 3250, type = "number", min = 0, doc = "server-seconds of the lowest level" },
    second = { default = 7200, type = "number", min = 0, doc = "up to the second threshold" },
    third = { default = 18000, type = "number", min = 0, doc = "up to the third" },
  },
}

local function level(self, job)
  local had, p = job.attained, self.p
  return had < p.first and 0 or had < p.second and 1 or had < p.third and 2 or 3
end

preempt(policy, level)

-- When the next running job passes a threshold; nil: none will.
local function next_passing(self, cluster)
  local thresholds, at = { self.p.first, self.p.second, self.p.third }, nil
  for _, job in ipairs(cluster.running) do
    local limit = thresholds[level(self, job) + 1]
    if limit then
      -- a little later, so that rounding cannot leave it below
      local when = cluster.now + (limit - job.attained) / #job.servers * 1.000001 + 1e-6
      if when < job.finish and (not at or when < at) then
        at = when
      end
    end
  end
  return at
end

local review = policy.review

function policy:review(event, cluster)
  local actions, why = review(self, event, cluster)
  if self.mem.wake and self.mem.wake <= cluster.now then
    self.mem.wake = nil
  end
  local at = #cluster.waiting > 0 and next_passing(self, cluster)
  if at and at > cluster.now and (not self.mem.wake or at < self.mem.wake) then
    self.mem.wake = at
    actions = actions or {}
    table.insert(actions, 1, { "wake", at = at })
  end
  return actions, why
end

return policy

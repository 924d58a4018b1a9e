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

local function levels(self)
  return { self.p.first, self.p.second, self.p.third }
end

local function level(self, job)
  local had, p = job.attained, self.p
  return had < p.first and 0 or had < p.second and 1 or had < p.third and 2 or 3
end

preempt(policy, level, function(self) return "service", levels(self) end)

local review = policy.review

function policy:review(event, cluster)
  local actions, why = review(self, event, cluster)
  if self.mem.wake and self.mem.wake <= cluster.now then
    self.mem.wake = nil
  end
  local at = #cluster.waiting > 0 and cluster:passes_at(levels(self))
  if at and at > cluster.now and (not self.mem.wake or at < self.mem.wake) then
    self.mem.wake = at
    actions = actions or {}
    table.insert(actions, 1, { "wake", at = at })
  end
  return actions, why
end

return policy

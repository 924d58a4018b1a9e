-- fit_first.lua: whoever fits, starts.
-- Rule: a job starts as soon as there is room for it, `degree` ways (fewer only on an empty
-- cluster that is too small), else it waits; who waits is asked again in order of arrival whenever
-- a job completes, and may be overtaken by any job that fits.
-- Source: "fit-first" (fjf) of the Tiresias simulator (Gu et al., NSDI 2019).
local room = require("room")

local policy = {
  name = "fit_first",
  api = 1,
  doc = "jobs wait for room; whoever fits starts",
  params = {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
  },
}

function policy:partition(job, cluster)
  return room.degree(self.p.degree, job, cluster, "there is room")
end

function policy:place(job, cluster)
  return room.block(job, cluster)
end

return policy

-- ocs_queue.lua: jobs that wait for room, on circuits scheduled by any rule of the library.
-- Rule: queue, degree and servers as in fit_first.lua; circuits by the function of circuits.lua that
-- `schedule` names (first_fit, max_weight, bvn, solstice, eclipse, hold_or_switch) for the demand of
-- a frame. To compare schedules on the same jobs: in ocs_bvn.lua and its like a job that finds no
-- room is blocked.
-- Source: an example of scripts/lib/compose.lua; for the schedules see circuits.lua.
local circuits = require("circuits")
local compose = require("compose")
local fit_first = require("fit_first")
local frames = require("frames")

local scheduled = frames({ name = "scheduled" }, function(self, demand, delta)
  local schedule = circuits[self.p.schedule]
  if not schedule then
    error(("there is no schedule '%s'"):format(self.p.schedule))
  end
  return schedule(demand, delta)
end)

return compose({
  name = "ocs_queue",
  doc = "fit_first, and circuits by a schedule of the library",
  partition = fit_first,
  place = fit_first,
  configure = scheduled,
  params = { schedule = { default = "solstice", doc = "function of circuits.lua" } },
})

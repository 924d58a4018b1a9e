-- strict_fifo.lua: first come, first served; nobody overtakes.
-- Rule: a job waits while one that arrived before it waits, and while there is no room for it,
-- `degree` ways (fewer only on an empty cluster that is too small). The head of the queue blocks.
-- Source: FIFO as in every batch system; see Feitelson and Rudolph, JSSPP 1995.
local queue = require("queue")

local policy = {
  name = "strict_fifo",
  api = 1,
  doc = "jobs start in order of arrival; the first one waits for room and the others for it",
}

return queue(policy, {
  key = function(job)
    return job.id
  end,
  why = "behind job %d",
  turn = "its turn, and there is room",
})

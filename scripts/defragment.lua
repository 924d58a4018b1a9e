-- defragment.lua: move a running job to make room in one piece.
-- Rule: jobs wait for room as in fit_first.lua. If the first waiting job could have as many servers
-- as it needs, but no block of them is free, then each running job is tried on other free blocks of
-- its size; of the moves after which the waiting job fits, the cheapest (shortest pause) is made.
-- At most `tries` moves are looked at.
-- Cost: a move that is tried is a search for blocks and a copy of the cluster; none where nobody waits.
-- Source: migration to defragment as in Gandiva (Xiao et al., OSDI 2018).
local room = require("room")

local policy = {
  name = "defragment",
  api = 1,
  doc = "migrates a running job where that makes a block for a waiting one",
  params = {
    degree = { default = 4, type = "integer", min = 1, doc = "ways to split a job" },
    tries = { default = 64, type = "integer", min = 1, doc = "moves to look at" },
  },
}

function policy:partition(job, cluster)
  return room.degree(self.p.degree, job, cluster, "there is room")
end

function policy:place(job, cluster)
  return room.block(job, cluster)
end

-- The cheapest move after which n servers are free as a block; nil: there is none.
local function find_move(n, cluster, tries)
  local best, cheapest
  for _, job in ipairs(cluster.running) do
    for _, block in ipairs(cluster:blocks(#job.servers)) do
      tries = tries - 1
      if tries < 0 then
        return best, cheapest
      end
      local move = { "migrate", job = job, servers = block.servers }
      local later = cluster:after({ move })
      if later and later:fits(n) then
        local cost = cluster:cost(move)
        if not best or cost.seconds < cheapest then
          best, cheapest = move, cost.seconds
        end
        break -- another block for this job costs the same
      end
    end
  end
  return best, cheapest
end

function policy:review(event, cluster)
  local first = cluster.waiting[1]
  local n = first and (first.rigid or self.p.degree)
  if not first or n > cluster.free or cluster:fits(n) then
    return nil
  end
  local move, seconds = find_move(n, cluster, self.p.tries)
  if move then
    return { move }, ("job %d moves for job %d, %.3g s"):format(move.job.id, first.id, seconds)
  end
end

return policy

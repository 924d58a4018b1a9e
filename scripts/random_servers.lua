-- random_servers.lua: any free servers.
-- Rule: every set of free servers of the job's size is equally likely, and so is every order of it.
-- The draws come from the policy's own stream: the same seed gives the same run.
-- Cost: two look-ups for each server drawn, on any number of servers. Hardly two jobs lie alike, so that the
-- engine simulates a step for nearly each of them.
-- Source: the baseline of every study of placement. (random_place draws a free block instead.)
local gang = require("gang")
local room = require("room")

local policy = {
  name = "random_servers",
  api = 1,
  doc = "draws free servers anywhere",
  params = { max_degree = gang.max_degree },
}

policy.partition = gang.partition

function policy:place(job, cluster)
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  local n = gang.size(job, cluster)
  if not n or cluster.free < n then
    return "wait", "not enough free servers", { retry = "on_complete" }
  end
  -- the first n of a shuffle of all free servers, of which only those that moved are written down
  local free, moved, servers = cluster.free, {}, {}
  for i = 1, n do
    local drawn = i - 1 + self:rand(free - i + 1)
    servers[i] = moved[drawn] or cluster:free_server(drawn)
    moved[drawn] = moved[i] or cluster:free_server(i)
  end
  return { servers = servers }
end

return policy

-- random_servers.lua: any free servers.
-- Rule: every set of free servers of the job's size is equally likely, and so is every order of it.
-- The draws come from the policy's own stream: the same seed gives the same run.
-- Source: the baseline of every study of placement. (random_place draws a free block instead.)
local gang = require("gang")

local policy = {
  name = "random_servers",
  api = 1,
  doc = "draws free servers anywhere",
  params = { max_degree = gang.max_degree },
}

policy.partition = gang.partition

function policy:place(job, cluster)
  local n = gang.size(job, cluster)
  if not n or cluster.free < n then
    return "wait", "not enough free servers", { retry = "on_complete" }
  end
  local free = {}
  for id = 0, cluster.servers - 1 do
    if cluster:is_free(id) then
      free[#free + 1] = id
    end
  end
  for i = 1, n do
    local drawn = i - 1 + self:rand(#free - i + 1)
    free[i], free[drawn] = free[drawn], free[i]
  end
  return { servers = table.move(free, 1, n, 1, {}) }
end

return policy

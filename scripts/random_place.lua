-- random_place.lua: any free block.
-- Rule: each of the free blocks (the first `candidates` of them) is equally likely; decline if there
-- is none. The draw comes from the policy's own stream: the same seed gives the same run.
-- Cost: counts up to `candidates` blocks and goes to the one that is drawn, a few words each.
-- Source: the baseline of every study of placement, e.g. "random" in Weng et al., USENIX ATC 2023.
local room = require("room")

local policy = {
  name = "random_place",
  api = 1,
  doc = "draws a free block",
  params = {
    candidates = { default = 256, type = "integer", min = 1, doc = "blocks to draw from" },
  },
}

function policy:place(job, cluster)
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  local n = job.rigid or cluster:predict(job).partition_degree
  local count = n and cluster:count_blocks(n, { limit = self.p.candidates }) or 0
  if count == 0 then
    return nil, "no free block"
  end
  local drawn = self:rand(count)
  local block = cluster:blocks(n, { skip = drawn - 1, limit = 1 })[1]
  return { servers = block.servers }, ("drawn: %d of %d"):format(drawn, count)
end

return policy

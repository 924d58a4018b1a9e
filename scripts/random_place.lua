-- random_place.lua: any free block.
-- Rule: each of the free blocks (the first `candidates` of them) is equally likely; decline if there
-- is none. The draw comes from the policy's own stream: the same seed gives the same run.
-- Source: the baseline of every study of placement, e.g. "random" in Weng et al., USENIX ATC 2023.
local policy = {
  name = "random_place",
  api = 1,
  doc = "draws a free block",
  params = {
    candidates = { default = 256, type = "integer", min = 1, doc = "blocks to draw from" },
  },
}

function policy:place(job, cluster)
  local n = job.rigid or cluster:predict(job).partition_degree
  local blocks = n and cluster:blocks(n, { limit = self.p.candidates }) or {}
  if #blocks == 0 then
    return nil, "no free block"
  end
  local drawn = self:rand(#blocks)
  return { servers = blocks[drawn].servers }, ("drawn: %d of %d"):format(drawn, #blocks)
end

return policy

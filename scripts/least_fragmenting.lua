-- least_fragmenting.lua: just enough servers, where they are missed least.
-- Rule: the smallest degree, up to max_degree, whose forecast ends by the deadline; on the free block
-- after which the largest block is left free for others, of equals the first. Decline if no degree
-- meets the deadline.
-- Source: the idea of FGD, "place where fragmentation grows least" (Weng et al., USENIX ATC 2023),
-- with the largest free block as the measure: on RAMP a job needs a whole block, not any servers.
local policy = {
  name = "least_fragmenting",
  api = 1,
  doc = "smallest degree that meets the deadline, on the block that leaves the largest block free",
  params = {
    max_degree = { type = "integer", min = 1, doc = "largest degree to try (default: the scenario's)" },
    candidates = { default = 32, type = "integer", min = 1, doc = "blocks to look at" },
  },
}

function policy:partition(job, cluster)
  for _, degree in ipairs(cluster:degrees(job, self.p.max_degree)) do
    local forecast = cluster:predict(job, { degree = degree })
    if forecast.feasible and forecast.finish <= job.deadline then
      return degree, ("%d ways meets the deadline"):format(degree)
    end
  end
  return nil, "no degree meets the deadline"
end

function policy:place(job, cluster)
  local n = job.rigid or cluster:predict(job).partition_degree
  local best
  for _, block in ipairs(n and cluster:blocks(n, { limit = self.p.candidates }) or {}) do
    if not best or block.largest_left > best.largest_left then
      best = block
    end
  end
  if not best then
    return nil, "no free block"
  end
  return { servers = best.servers }, ("leaves a block of %d"):format(best.largest_left)
end

return policy

-- least_fragmenting.lua: just enough servers, where they are missed least.
-- Rule: for each degree, up to max_degree, the free block after which the largest block is left free
-- for others, of equals the first; the smallest degree that ends by the deadline on its block, but
-- `prefer` before all others: blocks of one size leave no gaps. Decline if none does.
-- Cost: looks at up to 32 blocks for each degree that it tries, and lists the largest blocks once: 25 us on
-- 32 servers, 100 us on 65 536.
-- Source: the idea of FGD, "place where fragmentation grows least" (Weng et al., USENIX ATC 2023),
-- with the largest free block as the measure: on RAMP a job needs a whole block, not any servers.
local room = require("room")

local policy = {
  name = "least_fragmenting",
  api = 1,
  doc = "smallest degree that meets the deadline, on the block that leaves the largest block free",
  params = {
    max_degree = { type = "integer", min = 1, doc = "largest degree to try (default: the scenario's)" },
    prefer = { default = 0, type = "integer", min = 0, doc = "degree to try before all others, 0: none" },
    candidates = { default = 32, type = "integer", min = 1, doc = "blocks to look at" },
  },
}

-- Looking at a block costs what finding the largest one left does; it ends where none can leave more.
local function best_block(cluster, job, degree, limit)
  return cluster:best_block(job, { degree = degree, score = "least_fragmenting", limit = limit })
end

-- The degrees that may be answered, the preferred one first.
local function in_order(degrees, prefer)
  local order = {}
  for _, degree in ipairs(degrees) do
    table.insert(order, degree == prefer and 1 or #order + 1, degree)
  end
  return order
end

function policy:partition(job, cluster)
  local degrees = cluster:degrees(job, self.p.max_degree)
  for _, degree in ipairs(in_order(degrees, self.p.prefer)) do
    local asks = room.asks(job)
    local block = not asks and best_block(cluster, job, degree, self.p.candidates)
    local forecast = asks and cluster:predict(job, { degree = degree }) or block and cluster:predict(job, { degree = degree, servers = block.servers })
    if forecast and forecast.feasible and forecast.finish <= job.deadline then
      return degree, ("%d ways meets the deadline"):format(degree)
    end
  end
  return nil, "no degree meets the deadline on a free block"
end

function policy:place(job, cluster)
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  local best = best_block(cluster, job, nil, self.p.candidates)
  if not best then
    return nil, "no free block"
  end
  return { servers = best.servers }, ("leaves a block of %d"):format(best.largest_left)
end

return policy

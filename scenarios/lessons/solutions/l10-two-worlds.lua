-- Lesson 10, passes with all points: eight ways first while limits are tight on the mean, the fewest
-- ways in time while they are loose; always on the free block that leaves the largest other one.
local policy = { name = "two-worlds", api = 1 }

local function block_of(cluster, n)
  local best
  for _, block in ipairs(n and cluster:blocks(n) or {}) do
    if not best or block.largest_left > best.largest_left then
      best = block
    end
  end
  return best
end

local function in_time(job, cluster, ways)
  local block = block_of(cluster, cluster:predict(job, { degree = ways }).partition_degree)
  local forecast = block and cluster:predict(job, { degree = ways, servers = block.servers })
  return forecast and forecast.feasible and forecast.finish <= job.deadline
end

function policy:partition(job, cluster)
  local seen = self.mem
  seen.jobs = (seen.jobs or 0) + 1
  seen.limits = (seen.limits or 0) + job.max_jct / job.sequential_jct
  if seen.limits / seen.jobs < 0.65 and in_time(job, cluster, 8) then
    return 8, "limits are tight: eight"
  end
  for _, ways in ipairs(cluster:degrees(job)) do
    if in_time(job, cluster, ways) then
      return ways, "the fewest in time"
    end
  end
  return nil, "none is in time on one block"
end

function policy:place(job, cluster)
  local block = block_of(cluster, cluster:predict(job).partition_degree)
  if not block then
    return nil, "no free block"
  end
  return { servers = block.servers }
end

return policy

-- Lesson 10, fails (it answers at once): eight ways where that is in time, else any number that is, on one free block.
local policy = { name = "eight-block", api = 1 }

local function block_for(job, cluster, ways)
  local block = cluster:blocks(ways, { limit = 1 })[1]
  local forecast = block and cluster:predict(job, { degree = ways, servers = block.servers })
  return forecast and forecast.feasible and forecast.finish <= job.deadline and block
end

function policy:partition(job, cluster)
  for _, ways in ipairs({ 8, 4, 6, 16 }) do
    if block_for(job, cluster, ways) then
      return ways, "in time on one block"
    end
  end
  return nil, "no block that is in time"
end

function policy:place(job, cluster)
  return { servers = cluster:blocks(job.degree, { limit = 1 })[1].servers }
end

return policy

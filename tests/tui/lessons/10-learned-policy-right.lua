-- Eight ways where that is in time, else any degree that is, on a block of that size.
local policy = { name = "right", api = 1 }

local function block_for(job, cluster, degree)
  local block = cluster:blocks(degree, { limit = 1 })[1]
  local forecast = block and cluster:predict(job, { degree = degree, servers = block.servers })
  return forecast and forecast.feasible and forecast.finish <= job.deadline and block
end

function policy:partition(job, cluster)
  for _, degree in ipairs({ 8, 4, 6, 16 }) do
    if block_for(job, cluster, degree) then
      return degree, "in time on one block"
    end
  end
  return nil, "no block that is in time"
end

function policy:place(job, cluster)
  return { servers = cluster:blocks(job.degree, { limit = 1 })[1].servers }
end

return policy

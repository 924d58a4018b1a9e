-- Six servers of one zone, or wait.
local policy = { name = "together", api = 1 }

local function nearby(cluster)
  local best
  for _, zone in ipairs(cluster:zones()) do
    if #zone.free >= 6 and (best == nil or #zone.free < #best) then
      best = zone.free
    end
  end
  return best
end

function policy:partition(job, cluster)
  if nearby(cluster) == nil then
    return "wait", "no site has six free servers"
  end
  return 6
end

function policy:place(job, cluster)
  local free, servers = nearby(cluster), {}
  for i = 1, 6 do
    servers[i] = free[i]
  end
  return { servers = servers }, "one site"
end

return policy

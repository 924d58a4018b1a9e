-- Lesson 8, fails: only four servers, of one zone: near, but too few.
local policy = { name = "four-near", api = 1 }

local function choose(cluster)
  for _, zone in ipairs(cluster:zones()) do
    if #zone.free >= 4 then
      return zone
    end
  end
end

function policy:partition(job, cluster)
  if choose(cluster) then
    return 4
  end
  return "wait", "no zone has four"
end

function policy:place(job, cluster)
  local free = choose(cluster).free
  return { servers = { free[1], free[2], free[3], free[4] } }
end

return policy

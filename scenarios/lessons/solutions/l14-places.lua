-- Lesson 14, not enough: the right number of ways on the right servers, and no thought of orders and circuits.
local policy = { name = "l14-places", api = 1, doc = "ways and servers only" }

local function about(job)
  return type(job.hint) == "table" and job.hint or {}
end

local function together(cluster)
  local joined, under = cluster:optics().joined, {}
  for server = 0, cluster.servers - 1 do
    local at = joined[server]
    under[at] = under[at] or {}
    table.insert(under[at], server)
  end
  return under[0]
end

function policy:partition(job, cluster)
  local hint, ways = about(job), {}
  if not hint.halves then return hint.degree or #together(cluster) end
  for i = 1, #job.ops do ways[i] = 1 end
  return ways
end

function policy:place(job, cluster)
  local hint, parts = about(job), {}
  if hint.halves then
    for i = 1, #job.ops do parts[i] = { hint.servers[i > hint.halves and 2 or 1] } end
    return { parts = parts }
  end
  return { servers = hint.servers or together(cluster) }
end

return policy

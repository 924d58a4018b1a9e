-- Lesson 14: a rule for each of the five decisions, and no forecast.
-- As many ways as servers are free under one aggregator, and those servers; what others wait for goes first; servers
-- that hang elsewhere are plugged into the aggregator of the job's first one when it starts.
local policy = { name = "l14-rules", api = 1, doc = "under one aggregator; what others wait for goes first" }

local function about(job)
  return type(job.hint) == "table" and job.hint or {}
end

-- The free servers under the aggregator that has most of them.
local function together(cluster)
  local joined, under, most = cluster:optics().joined, {}, {}
  for server = 0, cluster.servers - 1 do
    local at = joined[server]
    if cluster:is_free(server) then
      under[at] = under[at] or {}
      table.insert(under[at], server)
      if #under[at] > #most then most = under[at] end
    end
  end
  return most
end

function policy:partition(job, cluster)
  local hint, ways = about(job), {}
  if not hint.halves then return hint.degree or #together(cluster) end
  for i = 1, #job.ops do ways[i] = 1 end
  return ways
end

function policy:place(job, cluster)
  local hint, parts, servers = about(job), {}, {}
  if hint.halves then
    for i = 1, #job.ops do parts[i] = { hint.servers[i > hint.halves and 2 or 1] } end
    return { parts = parts }
  end
  if hint.servers then return { servers = hint.servers } end
  for i, server in ipairs(together(cluster)) do
    if i <= job.degree then servers[i] = server end
  end
  return { servers = servers }
end

function policy:order_ops() return "critical_path" end
function policy:order_flows() return "critical_path" end

function policy:review(event, cluster)
  if event.kind ~= "start" then return nil end
  local links, joined = {}, cluster:optics().joined
  for _, server in ipairs(event.job.servers) do
    local at = joined[event.job.servers[1]]
    if joined[server] ~= at then links[#links + 1] = { server = server, aggregator = at } end
  end
  return #links > 0 and { { "regroup", links = links } } or nil
end

return policy

-- five_forecasts.lua: each of the five decisions by asking for a forecast.
-- Rule: of the degrees, and of the orders of ops and of flows, the one whose forecast is shortest; servers under one
-- aggregator where such are free; where a job lies under several, its servers are joined to that of its first one when
-- it starts. What a hint gives ("degree", "servers", "halves") is taken as it is, see five_decisions.lua.
-- Source: made for scenarios/five-decisions.json; one forecast for each way, none for what they do to each other.
local policy = { name = "five_forecasts", api = 1, doc = "the shortest forecast, decision by decision" }

local function about(job)
  return type(job.hint) == "table" and job.hint or {}
end

-- The value of a choice whose forecast is shortest, and how long the job then takes.
local function shortest(job, cluster, key, values)
  local best, least
  for _, value in ipairs(values) do
    local forecast = cluster:predict(job, { [key] = value })
    if forecast.feasible and (not least or forecast.jct < least) then best, least = value, forecast.jct end
  end
  return best, least
end

function policy:partition(job, cluster)
  local hint = about(job)
  if hint.halves then
    local ways = {}
    for i = 1, #job.ops do ways[i] = 1 end
    return ways, "whole ops on two servers"
  end
  if hint.degree then return hint.degree, "hint" end
  local degree = shortest(job, cluster, "degree", cluster:degrees(job))
  if not degree then return nil, "no degree has a place" end
  return degree, "the shortest forecast"
end

function policy:place(job, cluster)
  local hint = about(job)
  if hint.halves then
    local parts = {}
    for i = 1, #job.ops do parts[i] = { hint.servers[i > hint.halves and 2 or 1] } end
    return { parts = parts }, "the first half here, the other there"
  end
  if hint.servers then return { servers = hint.servers }, "hint" end
  local optics = cluster:optics()
  local joined, under = optics and optics.joined or {}, {}
  for server = 0, cluster.servers - 1 do
    local at = joined[server]
    if at and cluster:is_free(server) then
      under[at] = under[at] or {}
      table.insert(under[at], server)
      if #under[at] == job.degree then return { servers = under[at] }, "under one aggregator" end
    end
  end
  return true, "as the engine does it"
end

local RULES = { "srpt", "fifo", "critical_path" }

function policy:order_ops(job, cluster)
  return shortest(job, cluster, "order_ops", RULES)
end

function policy:order_flows(job, flows, cluster)
  return shortest(job, cluster, "order_flows", RULES)
end

function policy:review(event, cluster)
  if event.kind ~= "start" then return nil end
  local optics, links = cluster:optics(), {}
  local joined = optics and optics.joined or {}
  for _, server in ipairs(event.job.servers) do
    local at = joined[event.job.servers[1]]
    if joined[server] ~= at then links[#links + 1] = { server = server, aggregator = at } end
  end
  return #links > 0 and { { "regroup", links = links } } or nil, "its servers to one aggregator"
end

return policy

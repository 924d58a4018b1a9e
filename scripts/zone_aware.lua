-- zone_aware.lua: a whole job in one zone, on the servers with the best ways between them.
-- Rule: in the phases of the Kubernetes scheduling framework,
--   filter     of the zones with enough free servers, the one with the fewest left over (best fit),
--              of equals the one with the lowest mean delay; where no zone holds the job, zones in
--              descending order of free servers until they do: the fewest zones
--   score      each of their free servers by the measured ways to the others, means of loss, delay
--              and throughput: 100 * (loss_weight * (1 - loss / most) + delay_weight * (1 - delay /
--              most) + throughput_weight * throughput / most); a greatest value of 0 counts as 1
--   bind       the servers of the highest scores, of equals the lower name (zone, then number); in
--              several zones, zone by zone in the order of the filter
-- Of each zone the first `looks` / zones free servers are looked at (as many as the job has parts at
-- least). A decision measures `looks` x `peers` ways at most: 5 to 30 ms with thousands of servers.
-- Weights are shares of their sum. Where servers of a zone have cables alike, scores rank nothing but
-- errors of measurement.
-- Source: the idea is that of Lee et al., Electronics 2023, 12(14), 3021 (zones, and nodes scored by
-- monitored loss, delay and throughput); their weights are not known to us: the weights, the
-- normalising and the order of zones are ours. Phases: kubernetes.io, "Scheduling Framework".
local gang = require("gang")
local zoning = require("zoning")
local room = require("room")

local policy = {
  name = "zone_aware",
  api = 1,
  doc = "one zone if it holds the job, else the fewest; the servers with the best measured ways",
  params = {
    max_degree = gang.max_degree,
    loss_weight = { default = 1, type = "number", min = 0, doc = "of measured loss" },
    delay_weight = { default = 1, type = "number", min = 0, doc = "of measured delay" },
    throughput_weight = { default = 1, type = "number", min = 0, doc = "of measured throughput" },
    peers = { default = 16, type = "integer", min = 1, doc = "other servers that a mean is taken over" },
    looks = { default = 4096, type = "integer", min = 1, doc = "free servers to look at, all zones together" },
  },
}

policy.partition = gang.partition

local function greatest(nodes, key)
  local most = 0
  for _, node in ipairs(nodes) do
    most = math.max(most, node[key])
  end
  return most > 0 and most or 1
end

-- Score: every free server of the zones, 0 to 100.
local function score(cluster, zones, p)
  local nodes, all = {}, {}
  for _, zone in ipairs(zones) do
    table.move(zone.free, 1, #zone.free, #all + 1, all)
  end
  for rank, zone in ipairs(zones) do
    for _, server in ipairs(zone.free) do
      local node = zoning.mean_way(cluster, server, #zones == 1 and zone.free or all, p.peers)
      node.server, node.zone, node.rank = server, zone.name, rank
      nodes[#nodes + 1] = node
    end
  end
  local loss, delay, throughput =
    greatest(nodes, "loss"), greatest(nodes, "delay"), greatest(nodes, "throughput")
  local weights = p.loss_weight + p.delay_weight + p.throughput_weight
  for _, node in ipairs(nodes) do
    local sum = p.loss_weight * (1 - node.loss / loss)
      + p.delay_weight * (1 - node.delay / delay)
      + p.throughput_weight * (node.throughput / throughput)
    node.score = weights > 0 and 100 * sum / weights or 0
  end
  return nodes
end

-- Bind: zone by zone, the highest scores first.
local function bind(nodes, n)
  table.sort(nodes, function(a, b)
    if a.rank ~= b.rank then
      return a.rank < b.rank
    end
    if a.score ~= b.score then
      return a.score > b.score
    end
    return a.server < b.server
  end)
  local servers = {}
  for i = 1, n do
    servers[i] = nodes[i].server
  end
  return servers
end

local function show(nodes, n)
  local rows = {}
  for i = 1, math.min(#nodes, 64) do
    local node = nodes[i]
    rows[i] = {
      ("%s/%d"):format(node.zone, node.server), node.loss, node.delay, node.throughput, node.score,
      i <= n and "bound" or "",
    }
  end
  explain({
    columns = { "server", "loss", "delay s", "throughput B/s", "score", "bind" },
    rows = rows,
    chosen = rows[1] and 1,
  })
end

function policy:place(job, cluster)
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  local n = gang.size(job, cluster)
  if not n or cluster.free < n then
    return "wait", "not enough free servers", { retry = "on_complete" }
  end
  local zones, why = zoning.filter(cluster, n, self.p.peers, self.p.looks)
  local nodes = score(cluster, zones, self.p)
  local servers = bind(nodes, n)
  show(nodes, n)
  return { servers = servers }, why
end

return policy

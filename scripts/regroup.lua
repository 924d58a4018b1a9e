-- regroup.lua: rejoin servers so that every job sits under one aggregator.
-- Rule: a job runs on the servers of its hint ({ "hint": { "servers": [0, 1] } }), every operation
-- split over all of them; without a hint, on `degree` servers where the engine finds room. With
-- `regroup`, whenever a job starts or ends from time `at` on, jobs are given an aggregator each,
-- larger jobs first: where most of its servers hang already, then the one with most ports left.
-- Servers that hang elsewhere are rejoined by switching their light paths. A job that fits under no aggregator stays.
-- Source: Yan et al., OFC 2022 (regrouping of a disaggregated rack by a MEMS switch).
local room = require("room")

local policy = {
  name = "regroup",
  api = 1,
  doc = "joins the servers of each job to one aggregator by switching light paths",
  params = {
    regroup = { default = true, doc = "false: circuits stay as they are" },
    at = { default = 0, min = 0, doc = "no regrouping before this time, seconds" },
    degree = { default = 2, type = "integer", min = 1, doc = "servers of a job without a hint" },
  },
}

local function hinted(job)
  local hint = job.hint
  return type(hint) == "table" and hint.servers or nil
end

function policy:partition(job, cluster)
  local servers = hinted(job)
  if job.rigid or not servers then
    return self.p.degree, "no servers are hinted"
  end
  local ways = {}
  for op = 1, #job.ops do
    ways[op] = #servers
  end
  return ways, ("replicated on the %d servers of the hint"):format(#servers)
end

function policy:place(job, cluster)
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  local servers = hinted(job)
  if servers then
    return { servers = servers }, "servers of the hint"
  end
  local n = job.rigid or cluster:predict(job).partition_degree
  local block = n and cluster:blocks(n, { limit = 1 })[1]
  if not block then
    return nil, "no free block"
  end
  return { servers = block.servers }
end

-- Ports of each aggregator, by id from 0.
local function room_of(optics)
  local room = {}
  for _, port in ipairs(optics.port) do
    if port.aggregator then
      room[port.aggregator] = (room[port.aggregator] or 0) + 1
    end
  end
  return room
end

local function choose(optics, room, servers)
  local here, best = {}, nil
  for _, server in ipairs(servers) do
    local aggregator = optics.joined[server]
    if aggregator then
      here[aggregator] = (here[aggregator] or 0) + 1
    end
  end
  for a = 0, optics.aggregators - 1 do
    local mine, most, left = here[a] or 0, best and here[best] or 0, room[a] or 0
    if left >= #servers and (not best or mine > most or (mine == most and left > room[best])) then
      best = a
    end
  end
  return best
end

local function links_of(cluster, optics)
  local jobs, room, links = {}, room_of(optics), {}
  for _, job in ipairs(cluster.running) do
    jobs[#jobs + 1] = job
  end
  table.sort(jobs, function(a, b)
    return #a.servers > #b.servers or (#a.servers == #b.servers and a.id < b.id)
  end)
  for _, job in ipairs(jobs) do
    local aggregator = choose(optics, room, job.servers)
    if aggregator then
      room[aggregator] = room[aggregator] - #job.servers
      for _, server in ipairs(job.servers) do
        if optics.joined[server] ~= aggregator then
          links[#links + 1] = { server = server, aggregator = aggregator }
        end
      end
    end
  end
  return links
end

function policy:review(event, cluster)
  local optics = cluster:optics()
  if not self.p.regroup or not optics then
    return nil
  end
  if cluster.now < self.p.at then
    if self.mem.woken then
      return nil
    end
    self.mem.woken = true
    return { { "wake", at = self.p.at } }, "regroup later"
  end
  if event.kind ~= "start" and event.kind ~= "completion" and event.kind ~= "wake" then
    return nil
  end
  local links = links_of(cluster, optics)
  return #links > 0 and { { "regroup", links = links } } or nil, ("rejoin %d servers"):format(#links)
end

return policy

-- five_decisions.lua: five jobs, each with one decision that matters; parameters choose.
-- Rule: the hint of a job says which of the five decisions about it a parameter takes ("split", "place",
-- "ops", "circuits", "flows") and what is given: "degree" ways, "servers", or "halves": whole ops, those up to
-- this one on the first server of the hint, the others on the second. All else is as the engine does it.
-- Source: made for scenarios/five-decisions.json and scenarios/orders-ramp.json.
local policy = {
  name = "five_decisions", api = 1, doc = "one decision a job, each by a parameter",
  params = {
    degree   = { default = 8, type = "integer", min = 1, max = 8, doc = "split: ways of the job" },
    together = { default = false, doc = "place: under one aggregator, or the first four servers" },
    ops      = { default = "srpt", doc = "order of ops: srpt, fifo or critical_path" },
    regroup  = { default = false, doc = "circuits: plug the job's servers into aggregator 0" },
    flows    = { default = "srpt", doc = "order of flows: srpt, fifo or critical_path" },
  },
}

local function about(job)
  return type(job.hint) == "table" and job.hint or {}
end

function policy:partition(job, cluster)
  local hint = about(job)
  if hint.halves then
    local ways = {}
    for i = 1, #job.ops do ways[i] = 1 end
    return ways, "whole ops on two servers"
  end
  if hint.decision == "split" then return self.p.degree, "the parameter degree" end
  if not hint.degree then return nil, "the scenario gives no hint for this job" end
  return hint.degree, "hint"
end

function policy:place(job, cluster)
  local hint = about(job)
  if hint.halves then
    local parts = {}
    for i = 1, #job.ops do parts[i] = { hint.servers[i > hint.halves and 2 or 1] } end
    return { parts = parts }, "the first half here, the other there"
  end
  if hint.decision == "place" then
    if self.p.together then return { servers = { 0, 2, 4, 6 } }, "under one aggregator" end
    return { servers = { 0, 1, 2, 3 } }, "the first four"
  end
  return hint.servers and { servers = hint.servers } or true, hint.servers and "hint" or "as the engine does it"
end

function policy:order_ops(job, cluster)
  return about(job).decision == "ops" and self.p.ops or nil
end

function policy:order_flows(job, flows, cluster)
  return about(job).decision == "flows" and self.p.flows or nil
end

function policy:review(event, cluster)
  if not self.p.regroup or event.kind ~= "start" or about(event.job).decision ~= "circuits" then return nil end
  local links, joined = {}, cluster:optics().joined
  for _, server in ipairs(event.job.servers) do
    if joined[server] ~= 0 then links[#links + 1] = { server = server, aggregator = 0 } end
  end
  return #links > 0 and { { "regroup", links = links } } or nil, "its servers to aggregator 0"
end

return policy

-- order_srpt.lua: what is shortest goes first.
-- Rule: among the parts that are ready on one server, and among the flows that are ready for one
-- light path, the one with the least time to go.
-- Source: shortest remaining processing time (Schrage, Operations Research 1968); the op and dependency
-- schedulers under every agent of PAC-ML (Parsonson et al., arXiv 2301.13799).
local policy = { name = "order_srpt", api = 1, doc = "parts and flows with the least time to go first; the engine's default" }

function policy:order_ops(job, cluster)
  return "srpt"
end

function policy:order_flows(job, flows, cluster)
  return "srpt"
end

return policy

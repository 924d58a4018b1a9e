-- order_critical_path.lua: what most depends on goes first.
-- Rule: among the parts that are ready on one server, and among the flows that are ready for one
-- light path, the one with the longest path to the end of the step behind it.
-- Source: highest level first (Hu, Operations Research 1961).
local policy = { name = "order_critical_path", api = 1, doc = "parts and flows on the critical path go first" }

function policy:order_ops(job, cluster)
  return "critical_path"
end

function policy:order_flows(job, flows, cluster)
  return "critical_path"
end

return policy

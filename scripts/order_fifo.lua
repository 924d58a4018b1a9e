-- order_fifo.lua: in the order of the computation graph.
-- Rule: among the parts that are ready on one server, and among the flows that are ready for one
-- light path, the one that comes first in the graph's order.
-- Source: none; it is the order in which a framework launches operations.
local policy = { name = "order_fifo", api = 1, doc = "parts and flows go in the order of the computation graph" }

function policy:order_ops(job, cluster)
  return "fifo"
end

function policy:order_flows(job, flows, cluster)
  return "fifo"
end

return policy

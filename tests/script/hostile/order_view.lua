-- expect: run: expected "srpt", "critical_path", "fifo", "longest", or a priority for each flow
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:order_flows(job, flows) return flows end

return policy

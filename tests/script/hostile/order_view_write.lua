-- expect: run: read-only
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:order_flows(job, flows)
  flows[1] = 3
  return "srpt"
end

return policy

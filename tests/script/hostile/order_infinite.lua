-- expect: run: expected a finite number
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:order_flows(job, flows)
  local list = {}
  for i in ipairs(flows) do list[i] = math.huge end
  return list
end

return policy

-- expect: run: out of memory
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:order_flows(job, flows)
  local list = {}
  for i = 1, 1e9 do list[i] = i end
  return list
end

return policy

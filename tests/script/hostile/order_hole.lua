-- expect: run: entry 2 is nil
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:order_ops(job)
  local list = {}
  for i in ipairs(job.parts) do list[i] = i end
  list[2] = nil
  return list
end

return policy

-- expect: run: loop
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local a, b = {}, {}
  setmetatable(a, { __index = b })
  setmetatable(b, { __index = a })
  local x = a.missing
end

return policy

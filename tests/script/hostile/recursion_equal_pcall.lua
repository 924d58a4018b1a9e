-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local m = {}
  function m.__eq(a, b) return a == b end
  local a, b = setmetatable({}, m), setmetatable({}, m)
  while true do pcall(function() return a == b end) end
end

return policy

-- expect: run: '__gc' is not available
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  setmetatable({}, { __gc = function() while true do end end })
end

return policy

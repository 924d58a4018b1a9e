-- expect: run: '__close' is not available
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local x <close> = setmetatable({}, { __close = function() while true do end end })
end

return policy

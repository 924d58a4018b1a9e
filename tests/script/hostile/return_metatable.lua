-- expect: run: empty table
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return setmetatable({}, { __index = function() while true do end end })
end

return policy

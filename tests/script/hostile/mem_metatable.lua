-- expect: run: has a metatable
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  setmetatable(self.mem, { __index = function() while true do end end })
  return 1
end

return policy

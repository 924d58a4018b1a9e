-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = setmetatable({}, { __index = function() while true do end end })
  while true do pcall(function() return t.x end) end
end

return policy

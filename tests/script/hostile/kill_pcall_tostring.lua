-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = setmetatable({}, { __tostring = function() while true do end end })
  while true do pcall(string.format, "%s", t) end
end

return policy

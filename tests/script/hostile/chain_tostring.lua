-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = setmetatable({}, { __tostring = function() return ("x"):rep(60000) end })
 while true do tostring(t) end
end
return policy

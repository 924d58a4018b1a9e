-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {} for i = 1, 1900 do t = setmetatable({}, { __index = t }) end
 while true do local x = t.missing end
end
return policy

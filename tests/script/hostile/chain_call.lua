-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = function() end for i = 1, 190 do t = setmetatable({}, { __call = t }) end
 while true do t() end
end
return policy

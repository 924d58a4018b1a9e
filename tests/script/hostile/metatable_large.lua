-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local m = {} for i = 1, 50000 do m[i] = i end
 while true do setmetatable({}, m) end
end
return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {} for i = 1, 50000 do t[i] = i end for i = 1, 50000 do t[i] = nil end
 while true do next(t) end
end
return policy

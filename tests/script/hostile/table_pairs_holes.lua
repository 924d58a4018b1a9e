-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {} for i = 1, 20000 do t["k" .. i] = i end for i = 1, 20000 do t["k" .. i] = nil end
 while true do pairs(t) end
end
return policy

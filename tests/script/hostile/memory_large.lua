-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local keep = {}
 for i = 1, 30 do local t = {} for j = 1, 8192 do t[j] = j end keep[i] = t end
 while true do local t = { 1, 2 } end
end
return policy

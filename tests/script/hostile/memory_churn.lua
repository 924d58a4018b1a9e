-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local keep = {} for i = 1, 100000 do keep[i] = {} end
 while true do local t = {} end
end
return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {} for i = 1, 240 do t[i] = i end
 local function f(...) return select(-1, ...) end
 while true do f(table.unpack(t)) end
end
return policy

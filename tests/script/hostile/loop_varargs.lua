-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function f(...) return ... end
 local function g(...) return f(f(f(f(f(f(f(f(...)))))))) end
 local t = {} for i = 1, 240 do t[i] = i end while true do g(table.unpack(t)) end
end
return policy

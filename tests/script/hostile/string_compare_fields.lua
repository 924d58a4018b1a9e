-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local a = ("a"):rep(60000)
 local b, c = a .. "b", a .. "c"
 local t = { x = b, y = c }
 while true do local l = t.x < t.y end
end
return policy

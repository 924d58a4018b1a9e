-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local a = ("\0"):rep(60000)
  local b, c = a .. "b", a .. "c"
  while true do local less = b < c end
end
return policy

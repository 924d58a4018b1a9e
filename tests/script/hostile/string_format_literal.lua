-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local f, x = string.format, ("%%"):rep(30000)
  while true do f(x) end
end
return policy

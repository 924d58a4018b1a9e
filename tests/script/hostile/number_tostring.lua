-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local f, x = tostring, 1.1e300
  while true do f(x) end
end
return policy

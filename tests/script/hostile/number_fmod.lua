-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local f = math.fmod
  while true do f(1e308, 1e-308) end
end
return policy

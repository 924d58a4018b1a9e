-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local x, t = 1.1e300, {}
  while true do local s = t["k" .. x] end
end
return policy

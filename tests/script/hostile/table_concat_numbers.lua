-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {} for i = 1, 5000 do t[i] = 1.1e300 end
  while true do table.concat(t) end
end
return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }
function policy:partition(job, cluster)
  local a = 1234567890123456789
  while true do local s = a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a .. a end
end
return policy

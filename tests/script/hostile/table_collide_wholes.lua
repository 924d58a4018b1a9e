-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  local m = (1 << 15) - 1
  for k = 1, 1 << 30 do t[k * m] = true end
end
return policy

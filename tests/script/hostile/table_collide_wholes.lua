-- expect: run: more than 256 keys that fall in the same place
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  local m = (1 << 15) - 1
  for k = 1, 1 << 30 do t[k * m] = true end
end
return policy

-- expect: run: more than 256 keys that fall in the same place
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  local m = (1 << 12) - 1
  for k = 1, 2050 do t[k * m] = true end
 while true do local x = t[4096*m] end
end
return policy

-- expect: run: more than 256 keys that fall in the same place
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  local x, d = 1.0, 2.0^-52
  while true do x = x + d t[x] = true end
end
return policy

-- expect: run: more than 256 keys that fall in the same place
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {} -- the last bits do not count
  for k = 1, 400 do t[1.5 + k * 2.0 ^ -50] = true end
  return 1
end

return policy

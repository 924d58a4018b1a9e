-- expect: run: more than 256 keys that fall in the same place
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {} -- the keys collide among 131072, not among fewer
  for k = 1, 70000 do t[k * 131071] = true end
  return 1
end

return policy

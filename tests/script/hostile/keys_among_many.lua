-- expect: run: more than 256 keys that fall in the same place
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local many = {}
  for i = 1, 100 do
    local t = {}
    for k = 1, 70 do t[k * 3] = true end
    many[i] = t
  end
  for k = 1, 400 do many[50][1.5 + k * 2.0 ^ -50] = true end
  return 1
end

return policy

-- expect: load: more than 256 keys that fall in the same place
local policy = { name = "hostile", api = 1 }

local t = {}
for round = 1, 3 do -- no large number stays in a register
  for k = 1, 1300 do t[3 + (k + 1300 * (round - 1)) * 4095] = true end
end

function policy:partition(job, cluster)
  while true do rawget(t, 3) end
end

return policy

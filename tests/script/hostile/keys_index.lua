-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

local t = {}
for k = 1, 3900 do t[-k] = true end -- there is room until 4096
for k = 1, 90 do t[3 + k * 4095] = true end

function policy:partition(job, cluster)
  local n = 0
  while true do if t[3] then n = n + 1 end end
end

return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t, n = {}, 0
  for k = 1, 3000 do t[{}] = true end
  while true do if t[policy] then n = n + 1 end end
end

return policy

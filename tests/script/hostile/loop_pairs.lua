-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  for i = 1, 1000 do t["k" .. i] = i end
  while true do for k in pairs(t) do end end
end

return policy

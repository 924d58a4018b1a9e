-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  for i = 1, 200 do t[i] = (" "):rep(60000) .. i end
  pcall(table.sort, t, math.ult)
  for i = 1, 200 do t[i] = "0." .. ("1"):rep(60000) end
  while true do table.sort(t, math.max) end
end

return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  for i = 1, 100000 do t[i] = -i end
  while true do table.sort(t, function(a, b) t[#t + 1] = 0 return a < b end) end
end

return policy

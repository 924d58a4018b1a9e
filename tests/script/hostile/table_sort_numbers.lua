-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {} for i = 1, 50000 do t[i] = i * 7919 % 50000 end
 while true do table.sort(t, function(a, b) return a > b end) end
end
return policy

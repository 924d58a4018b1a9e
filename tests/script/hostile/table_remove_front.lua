-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {} for i = 1, 100000 do t[i] = i end while true do table.remove(t, 1) t[#t + 1] = 1 end
end
return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local C = {} for i = 1, 300 do C[i] = {} for j = 1, 300 do C[i][j] = i * j end end
 while true do match.max_weight(C) end
end
return policy

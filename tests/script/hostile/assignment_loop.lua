-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local C = {} for i = 1, 100 do C[i] = {} for j = 1, 100 do C[i][j] = (i * j * 7919) % 1000 end end
 while true do match.assignment(C) end
end
return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local D = {}
  for i = 1, 40 do D[i] = {} for j = 1, 40 do D[i][j] = (i + j) % 40 end end
  while true do match.bvn(D) end
end

return policy

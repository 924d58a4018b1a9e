-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local W = {}
  for i = 1, 100 do W[i] = {} for j = 1, 100 do W[i][j] = (i * 37 + j * 91) % 101 end end
  while true do match.max_weight(W) end
end

return policy

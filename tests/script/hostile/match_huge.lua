-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local row = {}
  for i = 1, 4096 do row[i] = i end
  local W = {}
  for i = 1, 4096 do W[i] = row end
  match.assignment(W)
end

return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local n, edges = 1000, {}
  for i = 1, n - 1 do edges[i] = { i, i + 1, 1 } end
  while true do graph.shortest(n, edges, 1) end
end

return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local n, edges = 200, {}
  for i = 1, n do for j = i + 1, math.min(n, i + 20) do edges[#edges + 1] = { i, j, (i * j) % 17 } end end
  while true do graph.max_flow(n, edges, 1, n) end
end

return policy

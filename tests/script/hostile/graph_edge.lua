-- expect: run: graph.shortest: edge 1
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  graph.shortest(3, { { 1, 4, 1 } }, 1)
end

return policy

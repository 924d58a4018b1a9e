-- expect: run: expected a whole number from 1 to 65536
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  graph.topological(2 ^ 40, {})
end

return policy

-- expect: run: expected a whole number from 1 on
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster:degrees(job, -5)
end

return policy

-- expect: run: did you mean 'degree'
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster:predict(job, { degre = 2 })
end

return policy

-- expect: run: state a degree or ways
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster:predict(job)
end

return policy

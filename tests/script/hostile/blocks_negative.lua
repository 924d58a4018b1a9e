-- expect: run: cluster:blocks
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster:blocks(-1)
end

return policy

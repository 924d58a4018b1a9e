-- expect: run: cluster:predict: order_ops is
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster:predict(job, { degree = 2, order_ops = 7 })
  return 2
end

return policy

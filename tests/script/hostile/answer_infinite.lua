-- expect: run: returned inf
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return 1 / 0
end

return policy

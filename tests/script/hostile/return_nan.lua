-- expect: run: returned nan
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return 0 / 0
end

return policy

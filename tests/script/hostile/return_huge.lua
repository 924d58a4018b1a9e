-- expect: run: returned 1e+300
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return 1e300
end

return policy

-- expect: run: returned 2.5
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return 2.5
end

return policy

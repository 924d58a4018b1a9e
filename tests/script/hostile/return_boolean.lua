-- expect: run: returned true
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return true
end

return policy

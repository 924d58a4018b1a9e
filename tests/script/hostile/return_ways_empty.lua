-- expect: run: empty table
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return {}
end

return policy

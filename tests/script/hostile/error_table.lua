-- expect: run: error with a value of type table
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  error({})
end

return policy

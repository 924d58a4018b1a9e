-- expect: run: error with a value of type
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  error(job)
end

return policy

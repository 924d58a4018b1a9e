-- expect: run: error with a value of type nil
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  error()
end

return policy

-- expect: run: cannot set the global 'total'
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  total = 1
end

return policy

-- expect: run: 
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster:is_free(math.maxinteger)
end

return policy

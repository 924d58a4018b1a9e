-- expect: run: 
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return math.maxinteger
end

return policy

-- expect: run: returned "four"
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return "four"
end

return policy

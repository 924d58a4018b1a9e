-- expect: run: explain
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  explain{ rows = {} }
  return 1
end

return policy

-- expect: run: too many clusters in one call
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do cluster:after{} end
end

return policy

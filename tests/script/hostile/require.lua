-- expect: run: a policy is one file
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  require("os")
end

return policy

-- expect: run: cannot set the global
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  _ENV.pairs = nil
end

return policy

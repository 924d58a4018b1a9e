-- expect: run: xxxxxxxx
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  error(("x"):rep(60000))
end

return policy

-- expect: run: at most 250 bytes
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return ("x"):rep(60000):byte(1, -1)
end

return policy

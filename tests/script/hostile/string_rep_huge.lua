-- expect: run: longer than 64 KiB
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return ("x"):rep(1000000000)
end

return policy

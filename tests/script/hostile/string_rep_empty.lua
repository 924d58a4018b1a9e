-- expect: run: returned ""
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return (""):rep(math.maxinteger)
end

return policy

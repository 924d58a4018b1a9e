-- expect: run: ops 1 to
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return { [1] = 2, conv = 2 }
end

return policy

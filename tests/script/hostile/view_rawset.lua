-- expect: run: table expected, got job
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  rawset(job, "deadline", 0)
end

return policy

-- expect: run: %s%n
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  error("%s%n%s%n")
end

return policy

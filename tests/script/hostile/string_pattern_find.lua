-- expect: run: patterns are not available
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return string.find(("a"):rep(30000), ".-b")
end

return policy

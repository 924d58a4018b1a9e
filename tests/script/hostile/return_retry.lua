-- expect: run: retry is 0
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return "wait", "later", { retry = 0 }
end

return policy

-- expect: run: retry is "soon"
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return "wait", "later", { retry = "soon" }
end

return policy

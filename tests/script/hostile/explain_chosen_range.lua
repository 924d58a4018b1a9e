-- expect: run: explain: chosen
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  explain{ columns = { "a" }, rows = { { 1 } }, chosen = 2 }
  return 1
end

return policy

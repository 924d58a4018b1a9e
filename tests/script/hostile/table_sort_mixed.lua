-- expect: run: attempt to compare
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  table.sort({ 1, "a", {}, false })
end

return policy

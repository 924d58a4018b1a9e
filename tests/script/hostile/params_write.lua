-- expect: run: read-only
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  self.p.x = 1
  return 1
end

return policy

-- expect: run: self
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  self.count = 1
end

return policy

-- expect: run: contains itself
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  self.mem.me = self.mem
  return 1
end

return policy

-- expect: run: self.mem.job is job 0
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  self.mem.job = job
  return 1
end

return policy

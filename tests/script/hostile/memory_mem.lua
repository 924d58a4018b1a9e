-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  self.mem.list = self.mem.list or {}
  while true do table.insert(self.mem.list, { job.id, {} }) end
end

return policy

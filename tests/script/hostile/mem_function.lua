-- expect: run: self.mem.seen[3] is a function
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  self.mem.seen = { 1, 2, function() end }
  return 1
end

return policy

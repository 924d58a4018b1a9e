-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do pcall(function() return self.nonsense end) end
end

return policy

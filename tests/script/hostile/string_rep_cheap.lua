-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  for i = 1, math.huge do local s = string.rep("x", 60000) end
end

return policy

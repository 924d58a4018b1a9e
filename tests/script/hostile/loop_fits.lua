-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do cluster:fits(8) cluster:fits(3) end
end

return policy

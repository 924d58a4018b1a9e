-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  table.move({ 1 }, 1, 1000000000000, 2)
end

return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  for i = 1, 1e308, 1e-300 do end
end

return policy

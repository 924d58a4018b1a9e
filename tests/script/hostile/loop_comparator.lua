-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  table.sort({ 3, 2, 1 }, function() while true do end end)
end

return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do pcall(table.sort, { 3, 2, 1, 5, 4 }, function(a, b) while true do end end) end
end

return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do
    pcall(function() while true do end end)
  end
end

return policy

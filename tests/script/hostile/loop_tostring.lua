-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  print(setmetatable({}, { __tostring = function() while true do end end }))
end

return policy

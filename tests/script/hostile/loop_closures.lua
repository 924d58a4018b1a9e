-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do local t = {} for i = 1, 100 do t[i] = function() return t end end end
end

return policy

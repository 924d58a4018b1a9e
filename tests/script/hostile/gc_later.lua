-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local mt = {}
  for i = 1, 1000 do setmetatable({}, mt) end
  mt.__gc = function() while true do end end
  while true do local t = {} end
end

return policy

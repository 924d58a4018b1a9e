-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local mt = {}
  local t = setmetatable({}, mt)
  mt.__close = function() while true do end end
  while true do
    pcall(function() local x <close> = t error("x") end)
  end
end

return policy

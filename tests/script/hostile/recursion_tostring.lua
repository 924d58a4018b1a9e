-- expect: run: stack overflow
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t
  t = setmetatable({}, { __tostring = function() return tostring(t) end })
  return tostring(t)
end

return policy

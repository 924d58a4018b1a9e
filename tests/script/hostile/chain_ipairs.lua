-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = setmetatable({}, { __index = function(t, i) return i end })
 for i, v in ipairs(t) do end
end
return policy

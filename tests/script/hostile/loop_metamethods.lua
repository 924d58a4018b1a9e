-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = setmetatable({}, { __index = function(t, k) return k end })
  local i = 1
  while t[i] do i = i + 1 end
end

return policy

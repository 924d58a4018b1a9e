-- expect: run: stack overflow
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = setmetatable({}, {})
  getmetatable(t).__index = function(t, k) return t[k .. "x"] end
  return t.a
end

return policy

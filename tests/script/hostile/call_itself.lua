-- expect: run: '__call' is a table; expected a function
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  setmetatable(t, { __call = t })
  return t()
end

return policy

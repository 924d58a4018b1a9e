-- expect: run: nested too deeply
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local m = {}
  local t = setmetatable({}, m)
  m.__call = t
  return t()
end

return policy

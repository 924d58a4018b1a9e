-- expect: run: nested too deeply
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local m, n = {}, {}
  local t, u = setmetatable({}, m), setmetatable({}, n)
  m.__call, n.__call = u, t
  for _ in t, u do end
end

return policy

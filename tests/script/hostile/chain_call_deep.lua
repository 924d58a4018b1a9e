-- expect: run: nested too deeply
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function down(n) return n == 0 and 0 or 1 + down(n - 1) end
  down(2000) -- leaves a large stack behind
  local m = {}
  local t = setmetatable({}, m)
  m.__call = t
  return t()
end

return policy

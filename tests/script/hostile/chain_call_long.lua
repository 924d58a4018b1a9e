-- expect: run: 
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = function() end
  for i = 1, 9000 do
    local m = {}
    local link = setmetatable({}, m)
    m.__call = t
    t = link
  end
  local function down(n) return n == 0 and 0 or 1 + down(n - 1) end
  down(1500) -- leaves a large stack behind
  while true do t() end
end

return policy

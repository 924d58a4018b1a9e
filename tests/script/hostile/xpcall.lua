-- expect: run: use pcall
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function loop() while true do end end
  xpcall(loop, loop)
end

return policy

-- expect: run: nested too deeply
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function f() return 1 + f() end
 while true do pcall(f) end
end
return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function f(n) if n == 0 then error("x") end return (f(n - 1)) end
 while true do pcall(f, 150) end
end
return policy

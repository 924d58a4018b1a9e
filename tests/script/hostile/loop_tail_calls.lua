-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function f() return f() end
  return f()
end

return policy

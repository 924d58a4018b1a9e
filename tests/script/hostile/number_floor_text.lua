-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local a = "0." .. ("1"):rep(190)
  local f = math.floor while true do f(a) end
end
return policy

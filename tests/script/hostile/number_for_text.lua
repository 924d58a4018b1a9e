-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local a = ("1"):rep(190)
  while true do for i = 1, a do break end end
end
return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local s = ("\27"):rep(15000) while true do print(s) end
end
return policy

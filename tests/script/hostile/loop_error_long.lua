-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local m = ("m"):rep(60000)
 while true do pcall(error, m) end
end
return policy

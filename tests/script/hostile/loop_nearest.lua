-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local k = ("a"):rep(60000)
 while true do pcall(function() return job[k] end) end
end
return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t, a = {}, ("a"):rep(1000) local n = 0 while true do n = n + 1 local k = t[a .. n] end
end
return policy

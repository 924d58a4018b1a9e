-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  for i = 1, math.maxinteger do t[i] = ("x"):rep(1000) .. i end
end

return policy

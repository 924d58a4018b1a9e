-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local a, b = ("a"):rep(30000), ("b"):rep(30000)
  while true do local c = a .. b end
end

return policy

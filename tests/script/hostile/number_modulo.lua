-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local x = 1e308
  while true do local s = x % 1e-308 end
end

return policy

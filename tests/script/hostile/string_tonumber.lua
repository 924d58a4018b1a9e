-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local a = ("1"):rep(60000)
  while true do local n = tonumber(a) end
end

return policy

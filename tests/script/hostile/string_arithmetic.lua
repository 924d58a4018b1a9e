-- expect: run: attempt to perform arithmetic on a string value
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local a = "0." .. ("1"):rep(190)
  while true do local n = a + 0 end
end

return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local f, x = string.format, ("\0"):rep(10000)
  while true do f("%q", x) end
end
return policy

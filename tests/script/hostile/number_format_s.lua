-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local f, x = string.format, 1.1e300
  while true do f("%s%s%s%s%s%s%s%s", x, x, x, x, x, x, x, x) end
end
return policy

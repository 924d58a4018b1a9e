-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t, s = {x=1e308,y=1e-308}
  while true do s = t.x % t.y end
end
return policy

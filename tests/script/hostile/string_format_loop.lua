-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do local s = ("%d %s %g"):format(1, "x", 1.5) end
end

return policy

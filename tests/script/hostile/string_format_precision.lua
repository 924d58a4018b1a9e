-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do local s = ("%99.99f"):format(1e308) end
end

return policy

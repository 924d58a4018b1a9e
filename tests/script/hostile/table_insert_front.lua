-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {} while true do table.insert(t, 1, 1) end
end
return policy

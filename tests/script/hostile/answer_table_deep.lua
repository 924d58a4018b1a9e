-- expect: run: op 1 has ways a table
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {} local r = t for i = 1, 100 do r[1] = {} r = r[1] end
  return t
end

return policy

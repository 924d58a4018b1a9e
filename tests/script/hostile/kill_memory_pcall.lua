-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  pcall(function() for i = 1, 1 << 23 do t[i] = i end end)
  t = nil
  return 1
end

return policy

-- expect: run: returned "sorted"
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  for i = 1, 1000 do t[i] = i % 7 end
  table.sort(t, function(a, b) return true end)
  return "sorted"
end

return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  for i = 1, 100000 do t[i] = i end
  local k = next(t)
  while k do k = next(t, k) end
end

return policy

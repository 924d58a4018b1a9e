-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  for i = 1, 2^16 do t["k" .. i] = i end
  local n = 0
  while true do n = n + 1 t["k" .. n % 65536 + 1] = nil t["j" .. n] = 1 end
end

return policy

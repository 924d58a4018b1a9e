-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

-- Looking for the length asks for 1, 2, 4 ... and all of them lie in chains of 30.
local t = {}
for place = 0, 11 do
  for k = 1, 25 do t[(1 << place) + k * 4095] = true end
end
for power = 0, 61 do t[1 << power] = true end
for k = 1, 3400 do t[0.5 + k] = true end

function policy:partition(job, cluster)
  while true do local n = #t end
end

return policy

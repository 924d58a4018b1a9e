-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

-- Looking for the length asks for 1, 2, 4 ... and all of them lie in long chains.
local t = {}
for place = 0, 11 do
  for k = 1, 230 do t[(1 << place) + k * 4095] = true end
end
for power = 0, 61 do t[1 << power] = true end

function policy:partition(job, cluster)
  while true do table.concat(t, "", 1, 0) end
end

return policy

-- expect: run: out of memory
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = table.move({}, 1, 0, 1)
  for i = 1, 22 do t[2 ^ i // 1 | 0] = i end
  local big = {}
  for i = 1, 1 << 23 do big[i] = i end
end

return policy

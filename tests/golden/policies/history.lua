-- Tells whatever an earlier call could have left: variables of the file, sizes of tables, objects as
-- keys, keys that collide, self.mem with lists that get holes, and how much of the budget is left.
local policy = { name = "history", api = 1 }
local count, lasting, busy = 0, {}, {}

function policy:partition(job, cluster)
  count = count + 1
  local m, sum = self.mem, count
  m.list = m.list or {}
  m.seen = (m.seen or 0) + 1
  if job.id % 3 == 1 then
    for i = 1, 100 do m.list[i], lasting[i], busy["k" .. i] = i, i, { i } end
    for i = 100, 10, -1 do m.list[i], lasting[i] = nil, nil end
    for i = 1, 200 do busy[i * 0x7fffffff] = i end
  end
  for i = 1, 12 do
    m.list[i + i // 4], lasting[i + i // 3] = i, i
    lasting[{ i }], lasting[job] = true, i
    sum = 31 * sum + #m.list + #lasting
  end
  for _ in pairs(busy) do sum = sum + 1 end
  if job.id % 8 == 0 then -- up to the edge of the budget, where some calls fall over it
    for i = 1, 1150000 + 3000 * (job.id % 32) do busy[i & 63] = i end
  end
  local degrees = cluster:degrees(job)
  return degrees[(sum + m.seen) % #degrees + 1], "sum " .. sum
end

return policy

-- Degrees by the length of lists with holes whose tables hold names, too.
local policy = { name = "holes", api = 1 }
local lasting = {}

function policy:partition(job, cluster)
  local t, sum = {}, 0
  for i = 1, 40 + job.id % 23 do
    t["name " .. i] = i
    t[2 * i] = i
    if i % 3 == 0 then t[i + 1], t["name " .. i // 2] = true, nil end
    if i % 5 == 0 then t[i], lasting[i + job.id % 11] = nil, i end
    lasting["job " .. job.id % 7 + i], lasting[i] = i, i % 4 > 0 and i or nil
    sum = sum + #t + #lasting
  end
  table.insert(t, 1)
  table.remove(t)
  local degrees = cluster:degrees(job)
  return degrees[sum % #degrees + 1], "sum " .. sum .. " next " .. #t
end

return policy

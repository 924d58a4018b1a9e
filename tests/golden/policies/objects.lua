-- Tables, functions, views and fractions as keys; lists in the same tables have holes.
local policy = { name = "objects", api = 1 }
local lasting = {}

function policy:partition(job, cluster)
  local t, sum, kept = {}, 0, {}
  local keys = { print, math.floor, table.insert, ("x").rep, ipairs, ipairs({}), pairs, require,
    match.value, self.rand, job, cluster, job.ops, cluster.predict, function() return t end, job.id / 7, true, false }
  for i = 1, 60 do
    kept[i] = { i }
    t[kept[i]] = i
    t[keys[i % #keys + 1]] = i
    t[i + i // 4] = i
    if i % 3 == 0 then t[kept[i // 2]], t[i] = nil, nil end
    if i % 4 == 0 then lasting[kept[i]], lasting[i + job.id % 13] = true, i end
    if i % 7 == 0 then lasting[i], lasting[kept[i - 3]] = nil, true end
    sum = sum + #t + 3 * #lasting
  end
  local degrees = cluster:degrees(job)
  return degrees[sum % #degrees + 1], "sum " .. sum
end

return policy

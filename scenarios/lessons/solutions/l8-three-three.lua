-- Lesson 8, fails: three servers of each of the two emptiest zones: every ring crosses.
local policy = { name = "three-three", api = 1 }

function policy:partition(job, cluster)
  if cluster.free < 6 then
    return "wait", "full"
  end
  return 6
end

function policy:place(job, cluster)
  local zones, servers = cluster:zones(), {}
  table.sort(zones, function(a, b)
    return #a.free > #b.free
  end)
  for most = 3, 6, 3 do
    for _, zone in ipairs(zones) do
      for i = most - 2, math.min(most, #zone.free) do
        if #servers < 6 then
          servers[#servers + 1] = zone.free[i]
        end
      end
    end
  end
  return { servers = servers }
end

return policy

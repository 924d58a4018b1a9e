-- zoning.lua: which zones may take a job, and what is measured between servers.
--
--   local zoning = require("zoning")
--   local zones, why = zoning.filter(cluster, n, 16)
--   local way = zoning.mean_way(cluster, server, others, 16)   --> { loss =, delay =, throughput = }
--
-- A zone is one of cluster:zones() with three more fields: index, and delay, the mean of the measured
-- delays between its free servers.
local zoning = {}

-- Means of the measured ways from a server to (at most `most`) others.
function zoning.mean_way(cluster, server, others, most)
  local sum, count = { loss = 0, delay = 0, throughput = 0 }, 0
  for _, other in ipairs(others) do
    if other ~= server and count < most then
      local link = cluster:link(server, other)
      count = count + 1
      for key in pairs(sum) do
        sum[key] = sum[key] + link[key]
      end
    end
  end
  for key in pairs(sum) do
    sum[key] = count > 0 and sum[key] / count or 0
  end
  return sum
end

local function mean_delay(cluster, zone, most)
  local sum = 0
  for _, server in ipairs(zone.free) do
    sum = sum + zoning.mean_way(cluster, server, zone.free, most).delay
  end
  return #zone.free > 0 and sum / #zone.free or 0
end

-- The zones to use, in order, and why: of those with n free servers the one with the fewest left
-- over, of equals the one with the lowest mean delay; else zones in descending order of free servers.
-- A mean is taken over at most `most` others.
function zoning.filter(cluster, n, most)
  local whole, rest = {}, {}
  for index, zone in ipairs(cluster:zones()) do
    zone.index = index
    zone.delay = mean_delay(cluster, zone, most)
    if #zone.free >= n then
      whole[#whole + 1] = zone
    elseif #zone.free > 0 then
      rest[#rest + 1] = zone
    end
  end
  local function before(fewer)
    return function(a, b)
      if #a.free ~= #b.free then
        return (#a.free < #b.free) == fewer
      end
      if a.delay ~= b.delay then
        return a.delay < b.delay
      end
      return a.index < b.index
    end
  end
  table.sort(whole, before(true))
  if whole[1] then
    return { whole[1] }, ("%s holds it, %d left over"):format(whole[1].name, #whole[1].free - n)
  end
  table.sort(rest, before(false))
  local chosen, names, free = {}, {}, 0
  for _, zone in ipairs(rest) do
    if free < n then
      chosen[#chosen + 1] = zone
      names[#names + 1] = zone.name
      free = free + #zone.free
    end
  end
  return chosen, ("no zone holds %d: %s"):format(n, table.concat(names, " + "))
end

return zoning

-- zoning.lua: which zones may take a job, and what is measured between servers.
--
--   local zoning = require("zoning")
--   local zones, why = zoning.filter(cluster, n, 16, 4096)
--   local way = zoning.mean_way(cluster, server, others, 16)   --> { loss =, delay =, throughput = }
--
-- A zone is one of cluster:zones(false) with three more fields: index; free, its first free servers; and
-- delay, the mean of the measured delays between them.
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

-- The first free servers of a zone, at most so many.
function zoning.first_free(cluster, zone, most)
  local list = {}
  for k = 1, math.min(zone.free_count, most) do
    list[k] = cluster:free_server(k, zone.index)
  end
  return list
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
-- A mean is taken over at most `most` others. Of all zones together the first `looks` free servers are
-- looked at, of each zone as many, and n at least.
function zoning.filter(cluster, n, most, looks)
  local whole, rest, zones = {}, {}, cluster:zones(false)
  local each = math.max(looks // #zones, n)
  for index, zone in ipairs(zones) do
    zone.index = index
    zone.free = zoning.first_free(cluster, zone, each)
    zone.delay = mean_delay(cluster, zone, most)
    if zone.free_count >= n then
      whole[#whole + 1] = zone
    elseif zone.free_count > 0 then
      rest[#rest + 1] = zone
    end
  end
  local function before(fewer)
    return function(a, b)
      if a.free_count ~= b.free_count then
        return (a.free_count < b.free_count) == fewer
      end
      if a.delay ~= b.delay then
        return a.delay < b.delay
      end
      return a.index < b.index
    end
  end
  table.sort(whole, before(true))
  if whole[1] then
    return { whole[1] }, ("%s holds it, %d left over"):format(whole[1].name, whole[1].free_count - n)
  end
  table.sort(rest, before(false))
  local chosen, names, free = {}, {}, 0
  for _, zone in ipairs(rest) do
    if free < n then
      chosen[#chosen + 1] = zone
      names[#names + 1] = zone.name
      free = free + zone.free_count
    end
  end
  return chosen, ("no zone holds %d: %s"):format(n, table.concat(names, " + "))
end

return zoning

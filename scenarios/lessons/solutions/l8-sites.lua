-- Lesson 8, for its table: six servers of the sites that `take` names (0-3 north ... south).
local policy = {
  name = "sites",
  api = 1,
  params = { take = { type = "string", default = "000000", doc = "the site of each server, by number" } },
}

function policy:partition(job, cluster)
  return #self.p.take
end

function policy:place(job, cluster)
  local zones, used, servers = cluster:zones(), {}, {}
  for i = 1, #self.p.take do
    local zone = tonumber(self.p.take:sub(i, i)) + 1
    used[zone] = (used[zone] or 0) + 1
    servers[#servers + 1] = zones[zone].free[used[zone]]
  end
  return { servers = servers }
end

return policy

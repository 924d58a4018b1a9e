-- Two small networks of drawn numbers, for the screens that show what networks say: `blocks` decides.
local policy = {
  name = "networks",
  api = 1,
  doc = "two networks",
  params = {
    blocks = { default = "blocks.json", type = "network", doc = "degree and placement" },
    plain = { default = "plain.json", type = "network", doc = "degree alone" },
  },
}

function policy:partition(job, cluster)
  local net, best = self.p.blocks, 1
  local scores = net:scores(job:observe(net.encoding))
  for i = 2, #scores do
    if scores[i] > scores[best] then best = i end
  end
  local degree, rule = net:action(best)
  self.mem.action = best
  if degree == 0 then return nil, "declined" end
  return degree, rule
end

function policy:place(job, cluster)
  local net = self.p.blocks
  local servers = net:servers(job:observe(net.encoding), self.mem.action)
  return servers and { servers = servers }
end

return policy

-- pac_ml.lua: a graph neural network decides how far to split each job, and where it goes.
-- Rule: the answer that the network scores highest among those that are open now. The network was
-- trained by reinforcement learning (lightpath train); `weights` names its file.
-- Source: the agent of PAC-ML (Parsonson et al., arXiv 2301.13799): mean-pool message passing over the
-- job's computation graph, joined with features of the job and the cluster. docs/pac-ml.md.
local policy = {
  name = "pac_ml",
  api = 1,
  doc = "a graph neural network, trained by reinforcement learning, chooses degree and placement",
  params = {
    weights = { default = "pac_ml.json", type = "network", doc = "file of the network (lightpath train)" },
  },
}

-- The best action, its score and the second best's.
local function best_of(scores)
  local best, second = 1, -math.huge
  for i = 2, #scores do
    if scores[i] > scores[best] then
      second = scores[best]
      best = i
    elseif scores[i] > second then
      second = scores[i]
    end
  end
  return best, scores[best] - second
end

function policy:partition(job, cluster)
  local network = self.p.weights
  local scores = network:scores(job:observe(network.encoding))
  local best, ahead = best_of(scores)
  local degree, rule = network:action(best, job)
  self.mem.action = best
  if degree == 0 then
    return nil, "the network would rather keep the servers free"
  end
  return degree, ("score %.2f ahead of the next, %s"):format(ahead, rule)
end

function policy:place(job, cluster)
  if room.asks(job) then
    return room.tree(job, cluster)
  end
  if job.rigid then
    local block = cluster:blocks(job.rigid, { limit = 1 })[1]
    return block and { servers = block.servers }, not block and "no free block" or nil
  end
  local network = self.p.weights
  local _, rule = network:action(self.mem.action)
  if rule == "engine" then
    return true
  end
  local servers = network:servers(job:observe(network.encoding), self.mem.action)
  return servers and { servers = servers }
end

return policy

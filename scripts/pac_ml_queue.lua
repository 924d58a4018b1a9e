-- pac_ml_queue.lua: a network decides who waits, who goes next, how far each job is split, and who gives way.
-- Rule: an offered job gets the answer that scores highest: a degree, waiting or declining. Waiting jobs are offered
-- by the network's priority. A job that has to wait stops running jobs of less priority, as few as it needs; they
-- keep their finished steps and wait (corrected semantics only). Deadlines are the true ones, arrival + limit.
-- Source: evolution strategies (Salimans et al., arXiv 1703.03864) on whole runs; lightpath train --algo evolve.
local room = require("room")

local policy = {
  name = "pac_ml_queue",
  api = 1,
  doc = "a network decides who waits, who goes next, the degree, and who gives way",
  params = {
    weights = { default = "pac_ml_queue.json", type = "network", doc = "file of the network (lightpath train)" },
    preempt = { default = true, doc = "may running jobs be stopped for others?" },
  },
}

function policy:order_queue(queue, cluster)
  local network, priority = self.p.weights, {}
  for _, job in ipairs(queue) do
    priority[job.id] = network:priority(job)
  end
  table.sort(queue, function(a, b)
    local x, y = priority[a.id], priority[b.id]
    return x > y or (x == y and a.id < b.id)
  end)
  return queue, "by the network's priority"
end

function policy:partition(job, cluster)
  local network = self.p.weights
  local action, retry = network:choose(job:observe(network.encoding))
  local degree, rule = network:action(action, job)
  self.mem.action = action
  if degree == "wait" then
    return "wait", "the network would rather let it wait", retry
  elseif degree == 0 then
    return nil, "the network would rather keep the servers for others"
  end
  return degree, ("the highest score, placed by %s"):format(rule)
end

function policy:place(job, cluster)
  if job.rigid or room.asks(job) then
    return room.block(job, cluster)
  end
  local network = self.p.weights
  local servers = network:servers(job:observe(network.encoding), self.mem.action)
  return servers and { servers = servers } or true
end

function policy:review(event, cluster)
  if event.kind ~= "wait" or not self.p.preempt then
    return nil
  end
  local victims, actions = self.p.weights:give_way(event.job), {}
  for _, id in ipairs(victims) do
    actions[#actions + 1] = { "preempt", job = id }
  end
  if #victims > 0 then
    actions[#actions + 1] = { "resume", job = event.job }
  end
  for i = #victims, 1, -1 do
    actions[#actions + 1] = { "resume", job = victims[i] }
  end
  return actions, #victims > 0 and ("job %d matters more"):format(event.job.id) or nil
end

return policy

-- Lesson 10, passes: sixteen ways on one free block; who finds none waits while there is time, the
-- one that is due first goes first.
local policy = { name = "waits", api = 1 }
local WAYS = 16

function policy:order_queue(queue)
  table.sort(queue, function(a, b)
    return a.deadline < b.deadline or (a.deadline == b.deadline and a.id < b.id)
  end)
  return queue, "the one that is due first"
end

function policy:partition(job, cluster)
  if cluster.now + 1.01 * job.sequential_jct / WAYS > job.deadline then
    return nil, "even sixteen ways would be late by now"
  elseif not cluster:fits(WAYS) then
    return "wait", "no block of sixteen is free"
  end
  for _, ways in ipairs(cluster:degrees(job)) do
    if ways == WAYS then
      return WAYS, "sixteen ways"
    end
  end
  return "wait", "sixteen ways are not open yet", { retry = 10 }
end

function policy:place(job, cluster)
  return { servers = cluster:blocks(job.degree, { limit = 1 })[1].servers }
end

return policy

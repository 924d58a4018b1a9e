-- Lesson 4, fails: keeps the largest block now, but does not know who stays.
local policy = { name = "largest-left", api = 1 }

function policy:partition(job, cluster)
  return job.hint.degree
end

function policy:place(job, cluster)
  local best
  for _, block in ipairs(cluster:blocks(job.degree, { limit = 1000 })) do
    if not best or block.largest_left > best.largest_left then
      best = block
    end
  end
  if not best then
    return nil, "no free block"
  end
  return { servers = best.servers }
end

return policy

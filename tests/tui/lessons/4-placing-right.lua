-- Long jobs from one end, short ones from the other.
local policy = { name = "ends", api = 1 }

function policy:partition(job, cluster)
  return job.hint.degree
end

function policy:place(job, cluster)
  local blocks = cluster:blocks(job.degree, { limit = 1000 })
  local block = blocks[job.steps > 1000 and #blocks or 1]
  return { servers = block.servers }, "together with its like"
end

return policy

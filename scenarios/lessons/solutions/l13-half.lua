-- Whoever asks for more than half of the pod is turned away.
local policy = { name = "l13-half", api = 1, doc = "at most half of the pod for one job" }

function policy:place(job, cluster)
  if job.rigid > cluster.servers / 2 then
    return nil, "more than half of the pod"
  end
  return true
end

return policy

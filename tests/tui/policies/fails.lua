-- Fails at the second job: for the policy view.
local policy = { name = "fails", api = 1 }

local function pick(job)
  return job.id + nil
end

function policy:partition(job, cluster)
  if job.id == 0 then
    return 2, "the first job is easy"
  end
  return pick(job), "never said"
end

return policy

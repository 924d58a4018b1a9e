-- fails.lua: decides one job in four with an error.
local policy = { name = "fails", api = 1 }

function policy:partition(job, cluster)
  if job.id % 4 == 3 then
    error(("no answer for job %d"):format(job.id))
  end
  return 1
end

return policy

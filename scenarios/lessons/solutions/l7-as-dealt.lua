-- Lesson 7, fails: leaves every GPU where it hangs.
local policy = { name = "as-dealt", api = 1 }

function policy:partition(job, cluster)
  return #job.hint.servers
end

function policy:place(job, cluster)
  return { servers = job.hint.servers }
end

return policy

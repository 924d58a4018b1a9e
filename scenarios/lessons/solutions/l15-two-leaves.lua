-- Lesson 15, a usual mistake: s14 and s15 are named, and kept for jobs of 8.
local policy = {
  name = "two_leaves",
  api = 1,
  doc = "hosts from 58 on are for jobs of 8",
}

function policy:place(job, cluster)
  local servers = cluster:tree_place(job)
  for _, server in ipairs(servers or {}) do
    if server >= 58 and job.rigid < 8 then
      servers = nil
      break
    end
  end
  if not servers then
    return "wait", "kept for jobs of 8", { fits = job.rigid }
  end
  return { servers = servers }
end

return policy

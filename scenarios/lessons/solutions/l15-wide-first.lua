-- Lesson 15: jobs that ask for more hosts are asked first; whoever fits starts.
local policy = {
  name = "wide_first",
  api = 1,
  doc = "the widest first, where least is left",
}

function policy:queue_key(job)
  return -job.rigid
end

function policy:place(job, cluster)
  local servers = cluster:tree_place(job, { pick = "tight" })
  if not servers then
    return "wait", "no leaf has room", { fits = job.rigid }
  end
  return { servers = servers }
end

return policy

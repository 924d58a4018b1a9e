-- Lesson 15: whoever fits starts, under the leaf with the least room that is enough.
local policy = {
  name = "least_room",
  api = 1,
  doc = "whoever fits starts, where least is left",
}

function policy:place(job, cluster)
  local servers = cluster:tree_place(job)
  if not servers then
    return "wait", "no leaf has room", { fits = job.rigid }
  end
  return { servers = servers }
end

return policy

-- pod_keep_spares.lua: some cubes stay free for slices that lose one.
-- Rule: first fit, but a slice of whole cubes waits while fewer than `spares` usable cubes would stay;
-- in a queue of kind "loss" it is declined. Parts take what they find.
-- Source: TPU v4's pods keep cubes back so that a job goes on when hosts fail (Zu et al., NSDI 2024,
-- as transcribed); how many is a parameter.
local policy = {
  name = "pod_keep_spares",
  api = 1,
  doc = "pods: first fit that keeps usable cubes back for failures",
  params = {
    spares = { default = 2, type = "integer", min = 0, doc = "usable cubes that stay free" },
    wait = { default = true, doc = "wait in the queue; else decline" },
  },
}

function policy:place(job, cluster)
  if not job.slice then
    return true -- the engine's place: only slices are chosen here
  end
  local slice = cluster:slices(job)[1]
  if not slice or slice.left_in_cube or slice.left >= self.p.spares then
    return slice or true
  end
  return self.p.wait and "wait" or nil, ("would leave %d usable cubes"):format(slice.left)
end

return policy

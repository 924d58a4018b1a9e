-- pod_best_shape.lua: the shape in which the job's collectives are fastest.
-- Rule: of all shapes of as many accelerators that have a place now, the one with the shortest
-- all-reduce (or all-to-all), of equals the first; its first place.
-- Source: shapes differ up to fourfold in all-to-all (docs/pods.md); choosing one when the job starts
-- is ours.
local policy = {
  name = "pod_best_shape",
  api = 1,
  doc = "pods: the shape of as many accelerators whose collectives are fastest",
  params = { collective = { default = "all_reduce", doc = "all_reduce or all_to_all" } },
}

function policy:place(job, cluster)
  if not job.slice then
    return true -- the engine's place: only slices are chosen here
  end
  local best, least, shape
  for _, slice in ipairs(cluster:slices(job, { shapes = true })) do
    if slice.left_in_cube then
      return slice -- a part: its step hardly depends on where it lies
    end
    if slice.shape ~= shape then -- the first place of a shape is as good as any other
      shape = slice.shape
      local time = slice[self.p.collective] or math.huge
      if not best or time < least then
        best, least = slice, time
      end
    end
  end
  return best or true, best and best.shape
end

return policy

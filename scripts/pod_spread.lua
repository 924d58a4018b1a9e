-- pod_spread.lua: few cubes of a slice in one failure domain.
-- Rule: of the first places those with the fewest cubes in one domain, of these the one that leaves the
-- largest slice, of equals the first. A part goes where the engine puts it: it lies in one cube.
-- Source: spreading over failure domains as clusters of servers do it (kubernetes.io, "Pod Topology
-- Spread Constraints"); that a domain is a row of cubes is ours.
local policy = {
  name = "pod_spread",
  api = 1,
  doc = "pods: as few cubes of a slice as possible in one failure domain",
  params = { places = { default = 32, type = "integer", min = 1, doc = "places to look at" } },
}

function policy:place(job, cluster)
  if not job.slice then
    return true -- the engine's place: only slices are chosen here
  end
  local best, most, left
  for i, slice in ipairs(cluster:slices(job)) do
    if i > self.p.places or slice.left_in_cube then
      break
    end
    local crowd = slice.most_in_domain
    if not best or crowd < most or (crowd == most and slice.largest_left > left) then
      best, most, left = slice, crowd, slice.largest_left
    end
  end
  return best or true, best and ("at most %d cubes in one domain"):format(most)
end

return policy

-- pod_first_fit.lua: the first place of a slice in a pod.
-- Rule: the first of cluster:slices(job); where there is none the engine says why.
-- Source: first fit (Johnson, 1973); for slices of a torus RFold (Chen et al., arXiv 2510.03891), "firstfit".
local policy = { name = "pod_first_fit", api = 1, doc = "pods: takes the first place that the slice fits" }

function policy:place(job, cluster)
  if not job.slice then
    return true -- the engine's place: only slices are chosen here
  end
  return cluster:slices(job)[1] or true
end

return policy

-- max_parallelism.lua: split every job as far as the cluster allows now.
-- Rule: the largest degree that may be answered, up to max_degree; decline if there is none.
-- Source: baseline "max parallelism" of PAC-ML (Parsonson et al., arXiv 2301.13799).
local policy = {
  name = "max_parallelism",
  api = 1,
  doc = "splits every job as far as the cluster allows now",
  params = {
    max_degree = { type = "integer", min = 1, doc = "largest degree to answer (default: the scenario's)" },
  },
}

function policy:partition(job, cluster)
  local degrees = cluster:degrees(job, self.p.max_degree)
  if #degrees == 0 then
    return nil, "no degree may be answered"
  end
  return degrees[#degrees], "the largest degree"
end

return policy

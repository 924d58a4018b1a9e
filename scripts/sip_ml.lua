-- sip_ml.lua: one degree for all jobs, less only where the cluster has no room for it.
-- Rule: the smaller of max_degree and the largest degree that may be answered; decline if there is
-- none. As in the source, the smaller number is not checked again: where max_degree itself may not
-- be answered (10 on a 4x4x2 RAMP) the answer is refused.
-- Source: SiP-ML's parallelisation (Khani et al., SIGCOMM 2021) as restated by PAC-ML
-- (Parsonson et al., arXiv 2301.13799).
local policy = {
  name = "sip_ml",
  api = 1,
  doc = "one degree for all jobs, less where there is no room",
  params = {
    max_degree = { type = "integer", min = 1, doc = "degree to aim at (default: the scenario's largest)" },
  },
}

function policy:partition(job, cluster)
  local degrees = cluster:degrees(job)
  if #degrees == 0 then
    return nil, "no degree may be answered"
  end
  return math.min(self.p.max_degree, degrees[#degrees]), "the usual degree"
end

return policy

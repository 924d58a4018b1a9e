-- acceptable_jct.lua: split just enough to meet the limit, if splitting were free.
-- Rule: the first degree that may be answered and is at least ceil(sequential_jct / max_jct), up to
-- max_degree; if there is none, the largest that may be answered; decline if nothing may be. No
-- forecast is made: what communication costs is not considered.
-- Source: baseline "acceptable JCT" of PAC-ML (Parsonson et al., arXiv 2301.13799).
local policy = {
  name = "acceptable_jct",
  api = 1,
  doc = "splits just enough to meet the limit, if splitting were free",
  params = {
    max_degree = { type = "integer", min = 1, doc = "largest degree to answer (default: the scenario's)" },
  },
}

function policy:partition(job, cluster)
  local degrees = cluster:degrees(job, self.p.max_degree)
  if #degrees == 0 then
    return nil, "no degree may be answered"
  end
  local target = 1
  if job.max_jct > 0 then -- a job of no length has no limit to divide by
    target = math.ceil(job.sequential_jct / job.max_jct) -- 0 without a limit
  end
  for _, degree in ipairs(degrees) do
    if degree >= target then
      return degree, ("enough if splitting were free: at least %d"):format(target)
    end
  end
  return degrees[#degrees], ("the largest, though %d would be needed"):format(target)
end

return policy

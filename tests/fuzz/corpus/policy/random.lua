-- random.lua: split a job at random.
-- Rule: each degree that may be answered, up to max_degree, is equally likely; decline if there is
-- none. The draw comes from the policy's own stream: the same seed gives the same run.
-- Source: baseline "random" of PAC-ML (Parsonson et al., arXiv 2301.13799).
local policy = {
  name = "random",
  api = 1,
  doc = "draws the degree",
  params = {
    max_degree = { type = "integer", min = 1, doc = "largest degree to draw (default: the scenario's)" },
  },
}

function policy:partition(job, cluster)
  local degrees = cluster:degrees(job, self.p.max_degree)
  if #degrees == 0 then
    return nil, "no degree may be answered"
  end
  return degrees[self:rand(#degrees)], "drawn"
end

return policy

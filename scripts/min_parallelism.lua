-- min_parallelism.lua: split a job as little as possible, but split it.
-- Rule: degree 2 if at least two degrees may be answered, 1 if exactly one, else decline.
-- Source: baseline "min parallelism" of PAC-ML (Parsonson et al., arXiv 2301.13799).
local policy = { name = "min_parallelism", api = 1, doc = "splits a job in two where it can" }

function policy:partition(job, cluster)
  local choices = #cluster:degrees(job)
  if choices == 0 then
    return nil, "no degree may be answered"
  elseif choices == 1 then
    return 1, "only one degree may be answered"
  end
  return 2, "the smallest split"
end

return policy

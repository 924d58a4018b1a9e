-- no_parallelism.lua: never split a job.
-- Rule: degree 1 if any degree may be answered, else decline.
-- Source: baseline "no parallelism" of PAC-ML (Parsonson et al., arXiv 2301.13799).
local policy = { name = "no_parallelism", api = 1, doc = "never splits a job" }

function policy:partition(job, cluster)
  if #cluster:degrees(job) == 0 then
    return nil, "no degree may be answered"
  end
  return 1, "never split"
end

return policy

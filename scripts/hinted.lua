-- hinted.lua: replay a list of decisions.
-- Rule: the degree in the job's hint ({ "hint": { "degree": 4 } } in the scenario; 0 declines), or its
-- plan ({ "hint": { "plan": { "tensor": 8, "data": 2 } } }); a job without such a hint is declined.
-- Nothing is checked: the cluster judges the answer.
-- Source: none; it makes a recorded run, or one worked out by hand, repeatable.
local policy = { name = "hinted", api = 1, doc = "answers the degree or plan in the job's hint" }

function policy:partition(job, cluster)
  local hint = job.hint
  if type(hint) ~= "table" or (hint.degree or hint.plan) == nil then
    return nil, "the scenario gives no hint for this job"
  end
  return hint.plan or hint.degree, "hint"
end

return policy

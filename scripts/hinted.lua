-- hinted.lua: replay a list of decisions.
-- Rule: the degree in the job's hint ({ "hint": { "degree": 4 } } in the scenario; 0 declines), or its
-- plan ({ "hint": { "plan": { "tensor": 8, "data": 2 } } }); a job without such a hint is declined. It goes
-- to the "servers" of the hint, a list of numbers, and its ops and flows go in the order of "order_ops" and
-- "order_flows"; without them as the engine has it. A rigid job needs no hint.
-- Nothing is checked: the cluster judges the answer.
-- Source: none; it makes a recorded run, or one worked out by hand, repeatable.
local policy = { name = "hinted", api = 1, doc = "answers the decision in the job's hint" }

local function hint_of(job)
  return type(job.hint) == "table" and job.hint or {}
end

function policy:partition(job, cluster)
  local hint = hint_of(job)
  if (hint.degree or hint.plan) == nil then
    return nil, "the scenario gives no hint for this job"
  end
  return hint.plan or hint.degree, "hint"
end

function policy:place(job, cluster)
  local servers = hint_of(job).servers
  return servers and { servers = servers } or true, "hint"
end

function policy:order_ops(job, cluster)
  return hint_of(job).order_ops
end

function policy:order_flows(job, flows, cluster)
  return hint_of(job).order_flows
end

return policy

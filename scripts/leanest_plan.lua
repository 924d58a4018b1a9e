-- leanest_plan.lua: split a transformer as far as its deadline asks, no further.
-- Rule: of the plans that have a block now and end by the deadline, the one that takes the fewest
-- server-seconds; where only plans without a block would end in time, the job waits.
-- Source: ours. That a job is split as far as its deadline needs is the rule of acceptable_jct.lua
-- (Parsonson et al., arXiv 2301.13799); what plans are is Narayanan et al., SC 2021.
local policy = {
  name = "leanest-plan",
  api = 1,
  doc = "the plan with the fewest server-seconds that meets the job's deadline",
  params = {
    patience = { default = true, doc = "wait for a block while the deadline can still be met" },
  },
}

local function name(plan)
  return ("t%d p%d d%d"):format(plan.tensor, plan.pipeline, plan.data)
end

-- When the job would end by this plan, and how long its steps would be: by forecast on the block that
-- it would get, or alone where none is free.
local function outcome(job, cluster, plan)
  if plan.free then
    local forecast = cluster:predict(job, { plan = plan })
    if forecast.feasible then
      return forecast.finish, forecast.step_time
    end
  end
  return cluster.now + (job.steps - job.steps_done) * plan.step_time, plan.step_time
end

-- Every plan that fits into memory: { plan, server-seconds of a step, does it end in time }.
local function judge(job, cluster)
  local judged = {}
  for i, plan in ipairs(cluster:plans(job)) do
    local finish, step = outcome(job, cluster, plan)
    judged[i] = { plan = plan, step = step, cost = plan.servers * step, meets = finish <= job.deadline }
  end
  return judged
end

local function show(judged, chosen)
  local rows = {}
  for i, it in ipairs(judged) do
    local word = not it.meets and "late" or it.plan.free and "yes" or "no block"
    rows[i] = { name(it.plan), it.plan.servers, it.step, it.cost, 100 * it.plan.bubble, word }
  end
  if #rows > 0 then
    explain({
      columns = { "plan", "servers", "step s", "server s", "bubble %", "in time" },
      rows = rows,
      chosen = chosen,
    })
  end
end

-- A job whose graph has no plans: the smallest degree that is in time.
local function by_degree(job, cluster)
  for _, degree in ipairs(cluster:degrees(job)) do
    local forecast = cluster:predict(job, { degree = degree })
    if forecast.feasible and forecast.finish <= job.deadline then
      return degree, ("%d ways are in time"):format(degree)
    end
  end
  return nil, "no degree meets the deadline"
end

function policy:partition(job, cluster)
  local judged = judge(job, cluster)
  if #judged == 0 then
    return by_degree(job, cluster)
  end
  local best, later
  for i, it in ipairs(judged) do
    if it.meets and not it.plan.free then
      later = true
    elseif it.meets and (not best or it.cost < judged[best].cost) then
      best = i
    end
  end
  show(judged, best)
  if best then
    local it = judged[best]
    return it.plan, ("%s takes %.3g server-seconds a step and is in time"):format(name(it.plan), it.cost)
  end
  if later and self.p.patience then
    return "wait", "a plan would be in time, but has no block yet"
  end
  return nil, "no plan meets the deadline"
end

return policy

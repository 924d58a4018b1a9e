-- provision_early.lua: circuits inside a step are ordered as soon as their ports are idle.
-- Rule: a job gets the plan that its servers finish soonest; inside its step a turn is provisioned where its
-- data waited for light under the usual orders (`only_waiting`), or always, and on demand elsewhere. A turn that
-- is ordered early hides behind what is computed meanwhile.
-- Source: Opus (arXiv 2602.12521), which orders the next circuit of a rail once the last transfer has left it.
local policy = {
  name = "provision-early",
  api = 1,
  doc = "turns of light inside a step begin before their data are ready",
  params = {
    only_waiting = { default = false, doc = "leave turns alone whose data do not wait for them" },
  },
}

-- Of the plans that have a block now, the one with the shortest step; nil: none has.
local function fastest(job, cluster)
  local best, time
  for _, plan in ipairs(cluster:plans(job)) do
    local forecast = plan.free and cluster:predict(job, { plan = plan })
    if forecast and forecast.feasible and (not time or forecast.step_time < time) then
      best, time = plan, forecast.step_time
    end
  end
  return best
end

function policy:partition(job, cluster)
  if #cluster:plans(job) == 0 then
    local degrees = cluster:degrees(job)
    return degrees[#degrees], "no plans: the largest degree"
  end
  local plan = fastest(job, cluster)
  if not plan then
    return "wait", "no block for any plan"
  end
  return plan, "the shortest step"
end

function policy:phase(job, phase, light)
  if self.p.only_waiting and not phase.waits then
    return "on-demand"
  end
  return "provisioned"
end

return policy

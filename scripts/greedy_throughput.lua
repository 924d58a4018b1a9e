-- greedy_throughput.lua: the degree that gets most out of its servers.
-- Rule: of the degrees whose forecast meets the deadline, the one with the best throughput (steps a
-- second) for each server that it takes; of equals the smaller. With per_server = false the
-- throughput of the job alone counts, whatever it takes. Decline if no degree meets the deadline.
-- Source: the greedy step of throughput-driven schedulers (Optimus, Peng et al., EuroSys 2018; Gavel,
-- Narayanan et al., OSDI 2020), with the engine's forecast in place of a fitted model.
local policy = {
  name = "greedy_throughput",
  api = 1,
  doc = "takes the degree with the best throughput per server that meets the deadline",
  params = {
    max_degree = { type = "integer", min = 1, doc = "largest degree to try (default: the scenario's)" },
    per_server = { default = true, doc = "false: the throughput of the job alone counts" },
  },
}

function policy:partition(job, cluster)
  local best, most = nil, 0
  for _, degree in ipairs(cluster:degrees(job, self.p.max_degree)) do
    local forecast = cluster:predict(job, { degree = degree })
    if forecast.feasible and forecast.finish <= job.deadline then
      local worth = 1 / forecast.step_time
      if self.p.per_server then
        worth = worth / #forecast.servers
      end
      if worth > most then
        best, most = degree, worth
      end
    end
  end
  if not best then
    return nil, "no degree meets the deadline"
  end
  return best, ("%.4g steps/s%s"):format(most, self.p.per_server and " per server" or "")
end

return policy

-- Lesson 7, passes: whenever a job starts or ends, each running job gets an aggregator of its own.
local policy = { name = "own", api = 1 }

function policy:partition(job, cluster)
  return #job.hint.servers
end

function policy:place(job, cluster)
  return { servers = job.hint.servers }
end

function policy:review(event, cluster)
  if event.kind ~= "start" and event.kind ~= "completion" then
    return nil
  end
  local links = {}
  for i, job in ipairs(cluster.running) do
    for _, server in ipairs(job.servers) do
      links[#links + 1] = { server = server, aggregator = (i - 1) % cluster:optics().aggregators }
    end
  end
  return #links > 0 and { { "regroup", links = links } } or nil, "one aggregator each"
end

return policy

-- reason: jobs still stretch over sites
local policy = { name = "anywhere", api = 1 }

function policy:partition(job, cluster)
  if cluster.free < 6 then
    return "wait", "fewer than six are free"
  end
  return 6
end

function policy:place(job, cluster)
  local servers = {}
  for id = cluster.servers - 1, 0, -5 do
    for k = id, 0, -1 do
      if #servers < 6 and cluster:is_free(k) then
        local new = true
        for _, s in ipairs(servers) do
          new = new and s ~= k
        end
        if new then
          servers[#servers + 1] = k
          break
        end
      end
    end
  end
  return { servers = servers }, "spread"
end

return policy

-- expect: run: server id
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:place(job, cluster)
  return { servers = { 0.5, 1 } }
end

return policy

-- expect: run: expected a server id from 0 to 7
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:place(job, cluster)
  return { servers = { 0, 8 } }
end

return policy

-- expect: run: empty list
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:place(job, cluster)
  return { servers = {} }
end

return policy

-- expect: run: 
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:place(job, cluster)
  return { servers = function() end }
end

return policy

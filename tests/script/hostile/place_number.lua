-- expect: run: returned 3
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:place(job, cluster)
  return 3
end

return policy

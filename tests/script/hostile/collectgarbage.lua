-- expect: run: memory is managed
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  collectgarbage("stop")
end

return policy

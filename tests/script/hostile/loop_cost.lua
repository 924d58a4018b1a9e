-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do cluster:cost{ "preempt", job = 0 } end
end

return policy

-- expect: run: did you mean 'preempt'?
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster:after{ { "prempt", job = job } }
end

return policy

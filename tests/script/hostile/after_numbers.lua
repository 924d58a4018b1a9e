-- expect: run: action 1 is 1; expected an action
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster:after{ 1, 2, 3 }
end

return policy

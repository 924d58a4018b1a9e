-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do local c = cluster:after{} if c then c:predict(job, { degree = 8 }) end end
end
return policy

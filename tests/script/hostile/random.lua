-- expect: run: use self:rand()
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return math.random(8)
end

return policy

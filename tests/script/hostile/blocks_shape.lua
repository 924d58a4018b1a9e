-- expect: run: have no shape '9x9x9'
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster:blocks(2, { shape = "9x9x9" })
end

return policy

-- expect: run: '9x9x9' is no shape of 2 servers
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  cluster:blocks(2, { shape = "9x9x9" })
end

return policy

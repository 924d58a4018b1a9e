-- expect: run: would show an address
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return 1, ("%p"):format({})
end

return policy

-- expect: run: %p would show an address
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return 1, ("\0%p"):format({})
end

return policy

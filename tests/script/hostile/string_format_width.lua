-- expect: run: invalid conversion
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return ("%999999999d"):format(1)
end

return policy

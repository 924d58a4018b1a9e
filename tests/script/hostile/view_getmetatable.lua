-- expect: run: false
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  error(tostring(getmetatable(job)))
end

return policy

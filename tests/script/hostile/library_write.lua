-- expect: run: string is read-only
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  string.format = nil
end

return policy

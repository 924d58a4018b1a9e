-- expect: run: '__mode' is not available
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  setmetatable({}, { __mode = "k" })
end

return policy

-- expect: run: '__metatable' is not available
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  setmetatable({}, { __metatable = "hidden" })
end

return policy

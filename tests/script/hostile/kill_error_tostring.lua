-- expect: run: a value of type table
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  error(setmetatable({}, { __tostring = function() return 1 end }))
end

return policy

-- expect: run: an entry for
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = setmetatable({}, { __len = function() return 1000000000000 end })
  table.insert(t, 1, "x")
  return { x = t[1] }
end

return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local s = '  1' .. (' '):rep(60000)
  while true do pcall(function() return table.insert({}, s, 1) end) end
end

return policy

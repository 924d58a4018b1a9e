-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = setmetatable({}, { __len = function() return 1 << 62 end })
  while true do
    pcall(table.insert, t, 1)
    pcall(table.insert, t, 1, 1)
    pcall(table.remove, t)
    pcall(table.remove, t, 1)
    pcall(table.unpack, t)
    pcall(table.concat, t)
    pcall(table.sort, t)
  end
end

return policy

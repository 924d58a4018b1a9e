-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function down() pcall(down) end
  while true do down() end
end

return policy

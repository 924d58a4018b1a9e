-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function again() pcall(again) while true do end end
  while true do pcall(pcall, again) end
end

return policy

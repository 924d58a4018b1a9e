-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function down(n) if n > 0 then return pcall(down, n - 1) end while true do end end
  while true do down(150) end
end

return policy

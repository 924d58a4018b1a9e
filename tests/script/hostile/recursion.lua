-- expect: run: nested too deeply
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function down(n) return 1 + down(n + 1) end
  return down(1)
end

return policy

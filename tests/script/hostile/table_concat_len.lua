-- expect: run: longer than 64 KiB
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  for i = 1, 100 do t[i] = ("x"):rep(1000) end
  return table.concat(t)
end

return policy

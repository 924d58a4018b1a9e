-- expect: run: nested too deeply
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = self.mem
  for i = 1, 100000 do t[1] = {} t = t[1] end
  return 1
end

return policy

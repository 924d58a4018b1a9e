-- expect: run: stands elsewhere
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  for i = 1, 1000 do self.mem[i] = t end
  return 1
end

return policy

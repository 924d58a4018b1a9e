-- expect: run: at most 64
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local rows = {}
  for i = 1, 100000 do rows[i] = {} end
  explain{ columns = { "a" }, rows = rows }
end

return policy

-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local rows = {}
  for i = 1, 64 do rows[i] = { ("x"):rep(60000) } end
  while true do explain{ columns = { "a" }, rows = rows } end
end

return policy

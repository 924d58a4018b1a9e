-- expect: run: 20000 columns
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local columns = {}
  for i = 1, 20000 do columns[i] = "a" end
  explain{ columns = columns, rows = {} }
end

return policy

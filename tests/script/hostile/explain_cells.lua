-- expect: run: 1000000 columns
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local columns = {}
  for i = 1, 1000000 do columns[i] = "a" end
  explain{ columns = columns, rows = {} }
end

return policy

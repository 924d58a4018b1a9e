-- expect: run: expected a string or a number
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return table.concat({}, "x", 1, math.maxinteger)
end

return policy

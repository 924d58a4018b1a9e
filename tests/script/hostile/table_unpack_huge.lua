-- expect: run: at most 250 values
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return table.unpack({}, 1, 10000000)
end

return policy

-- expect: run: this table is read-only
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  table.insert(math, 1)
end

return policy

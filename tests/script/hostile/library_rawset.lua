-- expect: run: this table is read-only
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  rawset(math, "floor", print)
end

return policy

-- expect: run: use require
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  package.loadlib("libc.so.6", "system")
end

return policy

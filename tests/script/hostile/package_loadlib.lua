-- expect: run: a policy is one file
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  package.loadlib("libc.so.6", "system")
end

return policy

-- expect: run: use require
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  dofile("/etc/passwd")
end

return policy

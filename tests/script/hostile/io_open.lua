-- expect: run: no files
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  io.open("/etc/passwd")
end

return policy

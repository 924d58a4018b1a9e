-- expect: run: neither clock nor files
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  os.exit(0)
end

return policy

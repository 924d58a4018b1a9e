-- expect: run: neither clock nor files
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  os.setlocale("de_DE")
end

return policy

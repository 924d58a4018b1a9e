-- expect: run: use require
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  load("while true do end")()
end

return policy

-- expect: run: a policy is one file of text
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  load("while true do end")()
end

return policy

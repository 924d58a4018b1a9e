-- expect: run: no order that is the same in every run
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  for k in pairs({ [{}] = 1 }) do end
end

return policy

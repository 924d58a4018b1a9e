-- expect: run: returned a function
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return print
end

return policy

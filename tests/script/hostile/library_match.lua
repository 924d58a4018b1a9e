-- expect: run: match is read-only
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  match.value = nil
end

return policy

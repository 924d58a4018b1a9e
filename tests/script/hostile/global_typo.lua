-- expect: run: did you mean 'ipairs'
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  for _ in ipair({}) do end
end

return policy

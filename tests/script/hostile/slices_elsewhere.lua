-- expect: run: asks for no slice; expected the fabric "pod"
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return #cluster:slices(job)
end

return policy

-- expect: run: the fabric "ramp" has no cubes; expected "pod"
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return cluster:cube(0).free
end

return policy

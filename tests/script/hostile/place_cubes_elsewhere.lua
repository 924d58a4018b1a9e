-- expect: run: cubes answered for a job without a slice
local policy = { name = "hostile", api = 1 }

function policy:place(job, cluster)
  return { cubes = { 0, 1 } }
end

return policy

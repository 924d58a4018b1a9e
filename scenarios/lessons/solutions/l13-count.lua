-- Slices of 3 072 accelerators cost more room than one job is worth.
local policy = { name = "l13-count", api = 1, doc = "no slice of 48 cubes" }

function policy:place(job)
  return job.rigid < 3072 or nil, "48 cubes are too many"
end

return policy

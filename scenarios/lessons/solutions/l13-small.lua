-- Turns away more than is needed.
local policy = { name = "l13-small", api = 1, doc = "at most 16 cubes for one job" }

function policy:place(job)
  if job.rigid > 1024 then
    return nil, "more than 16 cubes"
  end
  return true
end

return policy

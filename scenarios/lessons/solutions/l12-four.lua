-- Lesson 12, fails: four stages whatever a turn takes.
local policy = { name = "four", api = 1, doc = "four stages and two copies" }

function policy:partition(job, cluster)
  return { tensor = 8, pipeline = 4, data = 2, recompute = "selective", sequence = true }, "as in the lesson"
end

return policy

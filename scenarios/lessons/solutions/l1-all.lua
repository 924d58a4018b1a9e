-- Lesson 1, fails: the step gets shorter still, but all ops are cut.
local policy = { name = "all", api = 1 }

function policy:partition(job, cluster)
  return 2, "all of them"
end

return policy

-- Lesson 11, fails: the same plan for every batch and every network.
local policy = {
  name = "plan",
  api = 1,
  doc = "one plan for every job",
  params = {
    tensor = { default = 8, type = "integer", min = 1, doc = "ways to split each layer" },
    pipeline = { default = 1, type = "integer", min = 1, doc = "stages" },
    data = { default = 1, type = "integer", min = 1, doc = "copies" },
  },
}

function policy:partition(job, cluster)
  return {
    tensor = self.p.tensor,
    pipeline = self.p.pipeline,
    data = self.p.data,
    recompute = "selective",
    sequence = self.p.tensor > 1,
  }
end

return policy

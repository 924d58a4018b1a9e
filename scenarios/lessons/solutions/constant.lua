-- The same number of ways for every job, whatever it asks for. Lessons 3, 5 and 6.
local policy = {
  name = "constant",
  api = 1,
  params = { ways = { default = 8, type = "integer", min = 1, doc = "ways of every job" } },
}

function policy:partition(job, cluster)
  for _, degree in ipairs(cluster:degrees(job)) do
    if degree == self.p.ways then
      return degree, "always the same"
    end
  end
  return nil, "that many are not free"
end

return policy

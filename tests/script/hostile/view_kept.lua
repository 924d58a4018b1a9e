-- expect: run: kept
local policy = { name = "hostile", api = 1 }
local saved
function policy:partition(job, cluster)
  if saved then return saved.id end
  saved = job
  return 1
end

return policy

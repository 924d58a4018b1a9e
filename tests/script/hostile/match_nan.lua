-- expect: run: match.max_weight: the weight in row 1, column 1
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  match.max_weight{ { 0 / 0 } }
end

return policy

-- expect: run: row 1, column 2 is "x"
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  match.bvn{ { 1, "x" }, { 1, 1 } }
end

return policy

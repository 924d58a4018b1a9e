-- expect: run: row 2 has 1 entries, row 1 has 2
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  match.value({ { 1, 2 }, { 3 } }, { 1 })
end

return policy

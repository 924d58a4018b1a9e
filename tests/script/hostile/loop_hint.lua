-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do local x = job.hint.degree end
end

return policy

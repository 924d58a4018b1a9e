-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do local x = #cluster.running local y = cluster.waiting[1] local z = cluster:is_free(0) end
end

return policy

-- expect: load: only while a hook runs
explain{ columns = { "a" }, rows = {} }
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)

end

return policy

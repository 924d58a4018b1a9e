-- expect: run: require: call it at the top of the file
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  require("policies")
end

return policy

-- expect: load: is asked for while it is being loaded
local x = require("require_self")
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return 1
end

return policy

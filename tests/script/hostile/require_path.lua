-- expect: load: is no name of a file
local x = require("../../engine/session")
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return 1
end

return policy

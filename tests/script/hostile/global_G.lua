-- expect: run: globals are declared nowhere
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  _G.print = nil
end

return policy

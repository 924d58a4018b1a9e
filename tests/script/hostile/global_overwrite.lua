-- expect: run: cannot set the global 'ipairs'
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  ipairs = function() end
end

return policy

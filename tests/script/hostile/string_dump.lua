-- expect: run: code is text here
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return string.dump(function() end)
end

return policy

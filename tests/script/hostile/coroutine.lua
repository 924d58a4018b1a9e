-- expect: run: a decision is made in one go
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local co = coroutine.wrap(function() while true do end end)
  co()
end

return policy

-- expect: run: servers is an empty list
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = setmetatable({}, { __index = function() return 0 end, __len = function() return 1e9 end })
  cluster:cost{ "migrate", job = job, servers = t }
end

return policy

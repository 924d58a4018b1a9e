-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = function() end
  for i = 1, 190 do
    local m = {}
    local link = setmetatable({}, m)
    m.__call = t -- setmetatable itself refuses what is no function
    t = link
  end
  while true do t() end
end
return policy

-- expect: run: more than 250 arguments
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function deep(n) if n == 0 then for i = 1, 300 do end return end deep(n - 1) end
  local function wide(n, ...) if n == 0 then while true do local c = select('#', ...) end end return wide(n - 1, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24, ...) end
  wide(60)
end

return policy

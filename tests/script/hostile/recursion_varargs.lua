-- expect: run: more than 250 arguments
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local function wide(n, ...) if n == 0 then return 0 end return wide(n - 1, n, n, n, n, n, n, n, n, ...) end
  return wide(200000)
end

return policy

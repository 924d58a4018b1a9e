-- expect: run: at most 1000000 are allowed
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:place(job, cluster)
  local list = {}
  for i = 1, 1100000 do list[i] = 0 end
  return { servers = list }
end

return policy

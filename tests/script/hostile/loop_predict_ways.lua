-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local n = #job.ops
 local seed = 1
 while true do local w = {} for i = 1, n do seed = (seed * 1103515245 + 12345) & 0x7fffffff w[i] = 1 + (seed >> 16) % 4 end cluster:predict(job, { ways = w }) end
end
return policy

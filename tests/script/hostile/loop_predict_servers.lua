-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local n = 0
 while true do n = n + 1 local d = 1 << (n % 4) local s = {} for i = 1, d do s[i] = (n + i) % 8 end pcall(cluster.predict, cluster, job, { degree = d, servers = s }) end
end
return policy

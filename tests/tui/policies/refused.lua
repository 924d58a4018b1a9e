-- Always answers the same servers: refused while they are taken.
local policy = { name = "refused", api = 1 }
function policy:partition(job, cluster)
  return 4, "four"
end
function policy:place(job, cluster)
  return { servers = { 0, 1, 2, 3 } }, "always there"
end
return policy

-- expect: run: longer than 64 KiB
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return string.rep("", 1000000000000000, "ab")
end

return policy

-- expect: run: a policy has no binary data
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  return string.pack("!16 s8", "x")
end

return policy

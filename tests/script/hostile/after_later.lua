-- expect: run: kept from an earlier call
local kept
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  if kept then return kept.free end
  kept = cluster:after{}
  return 1
end

return policy

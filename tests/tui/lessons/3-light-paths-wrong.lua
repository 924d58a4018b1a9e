-- reason: another degree is faster with these switches
local policy = { name = "most", api = 1 }

function policy:partition(job, cluster)
  return 16, "the more the better"
end

return policy

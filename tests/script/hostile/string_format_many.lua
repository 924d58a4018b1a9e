-- expect: run: a string of more than 64 KiB
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local s = ("x"):rep(60000)
  return 1, ("%s%s%s%s%s%s%s%s"):format(s, s, s, s, s, s, s, s)
end

return policy

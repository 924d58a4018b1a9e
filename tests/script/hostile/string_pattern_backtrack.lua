-- expect: run: patterns can run for ever
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local n = 40
  return ("a"):rep(n):match(("a?"):rep(n) .. ("a"):rep(n))
end

return policy

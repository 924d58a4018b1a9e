-- expect: run: a string of more than 64 KiB
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local s = "x"
  pcall(function() while true do s = s .. s end end)
  return 1
end

return policy

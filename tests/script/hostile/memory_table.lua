-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local t = {}
  while true do t[#t + 1] = { #t } end
end

return policy

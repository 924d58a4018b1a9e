-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local text, what = ("a"):rep(60000), ("a"):rep(30000) .. "b"
  while true do text:find(what, 1, true) end
end

return policy

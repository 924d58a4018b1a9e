-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local rows = {} for i = 1, 64 do local r = {} for j = 1, 16 do r[j] = 1.1e300 end rows[i] = r end
 local cols = {} for j = 1, 16 do cols[j] = ("c"):rep(60000) end
 while true do explain{ columns = cols, rows = rows } end
end
return policy

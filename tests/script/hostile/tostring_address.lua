-- expect: run: table function table
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  error(tostring({}) .. " " .. tostring(print) .. " " .. ("%s"):format({}))
end

return policy

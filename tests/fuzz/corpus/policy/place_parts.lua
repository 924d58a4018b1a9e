-- expect: run: parts of op
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:place(job, cluster)
  return { parts = { [1] = { 0 } } }
end

return policy

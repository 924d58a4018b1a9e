-- expect: run: \x1b[31mred\x07
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  error("\27[31mred\7")
end

return policy

-- expect: run: entry 1 is
local policy = { name = "hostile", api = 1 }

function policy:partition() return 2 end

function policy:order_ops(job) return { "1", 2, 3 } end

return policy

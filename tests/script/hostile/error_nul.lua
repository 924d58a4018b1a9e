-- expect: run: \x00
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  error("a\0b\27[2J\xff\xfe\u{202e}")
end

return policy

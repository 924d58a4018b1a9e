-- expect: load: near
local policy = { name = "hostile", api = 1
function policy:partition() return 1 end
return policy

-- Eight ways for everybody, wherever the engine puts them.
-- reason: too many jobs are lost
local policy = { name = "wrong", api = 1 }

function policy:partition()
  return 8
end

return policy

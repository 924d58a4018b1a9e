-- Lesson 10, fails: eight ways for all, but each op is placed by itself.
local policy = { name = "eight", api = 1 }

function policy:partition()
  return 8
end

return policy

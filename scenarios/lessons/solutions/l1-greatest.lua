-- Lesson 1, passes: the op with the most work is cut in two.
local policy = { name = "greatest", api = 1 }

function policy:partition(job, cluster)
  local widest, most = 1, 0
  for i, op in ipairs(job.ops) do
    if op.forward + op.backward > most then
      widest, most = i, op.forward + op.backward
    end
  end
  return { [widest] = 2 }, ("op %d has the most work"):format(widest)
end

return policy

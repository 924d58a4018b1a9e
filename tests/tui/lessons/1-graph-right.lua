-- The op with the most work is split two ways.
local policy = { name = "widest", api = 1 }

function policy:partition(job, cluster)
  local widest, most = 1, 0
  for i = 1, #job.ops do
    local work = job.ops[i].forward + job.ops[i].backward
    if work > most then
      widest, most = i, work
    end
  end
  return { [widest] = 2 }, "the widest op"
end

return policy

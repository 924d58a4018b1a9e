-- Lesson 4, passes: groups 0 and 1 (servers 0 to 15) are for long jobs, the others for short ones.
local policy = { name = "groups", api = 1 }

function policy:partition(job, cluster)
  return job.hint.degree
end

local function belongs(block, long)
  for _, server in ipairs(block.servers) do
    if (server < 16) ~= long then
      return false
    end
  end
  return true
end

function policy:place(job, cluster)
  local blocks = cluster:blocks(job.degree, { limit = 1000 })
  for _, block in ipairs(blocks) do
    if belongs(block, job.steps > 1000) then
      return { servers = block.servers }
    end
  end
  if not blocks[1] then
    return nil, "no free block"
  end
  return { servers = blocks[1].servers }, "the other half"
end

return policy

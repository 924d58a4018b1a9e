-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  while true do
    for _, block in ipairs(cluster:blocks(2)) do local left = block.largest_left end
  end
end

return policy

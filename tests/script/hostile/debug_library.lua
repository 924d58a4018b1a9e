-- expect: run: undo the sandbox
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  debug.sethook()
end

return policy

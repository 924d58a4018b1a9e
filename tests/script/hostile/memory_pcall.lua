-- expect: run: used up its budget
local policy = { name = "hostile", api = 1 }

function policy:partition(job, cluster)
  local keep = {}
  while true do
    pcall(function()
      for i = 1, 1000 do keep[#keep + 1] = { {}, {}, {}, {} } end
    end)
  end
end

return policy

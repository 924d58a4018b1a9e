-- expect: load: the file returned nil
local policy = { name = "hostile", api = 1, partition = function() return 1 end }

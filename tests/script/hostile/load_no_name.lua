-- expect: load: name is nil
return { api = 1, partition = function() return 1 end }

-- expect: load: did you mean 'default'
return { name = "hostile", api = 1, params = { depth = { defualt = 1 } }, partition = function() return 1 end }

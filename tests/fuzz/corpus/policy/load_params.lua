-- expect: load: parameter 'depth' has no default
return { name = "hostile", api = 1, params = { depth = { doc = "how deep" } }, partition = function() return 1 end }

-- expect: load: expected a whole number
return { name = "hostile", api = 1, params = { depth = { default = "x", type = "integer" } }, partition = function() return 1 end }

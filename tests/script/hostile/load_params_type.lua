-- expect: load: expected "number", "integer"
return { name = "hostile", api = 1, params = { depth = { default = 1, type = "int" } }, partition = function() return 1 end }

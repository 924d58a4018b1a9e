-- expect: load: api is 2; expected 1
return { name = "hostile", api = 2, partition = function() return 1 end }

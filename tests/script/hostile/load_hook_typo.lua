-- expect: load: did you mean 'partition'
return { name = "hostile", api = 1, partitoin = function() return 1 end, place = function() end }

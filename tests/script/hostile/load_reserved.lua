-- expect: load: the policy may not define 'mem'
return { name = "hostile", api = 1, mem = {}, partition = function() return 1 end }

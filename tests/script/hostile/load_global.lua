-- expect: load: cannot set the global 'policy'
policy = { name = "hostile", api = 1, partition = function() return 1 end }
return policy

-- expect: load: decides nothing
return { name = "hostile", api = 1 }

-- expect: load: partition is 4; expected a function
return { name = "hostile", api = 1, partition = 4 }

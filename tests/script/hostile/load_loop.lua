-- expect: load: used up its budget
while true do end

-- expect: load: boom
error("boom")

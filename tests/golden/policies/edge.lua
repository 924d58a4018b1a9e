-- Uses nearly all instructions that a hook may, with names as keys that come and go: tables are
-- filled anew at moments that depend on where in them names fall.
local policy = { name = "edge", api = 1 }
local words = {}
for i = 1, 1500 do words[i] = "k" .. i * 7919 % 4001 end

function policy:partition(job, cluster)
  local t = {}
  local rounds = 4 + job.id % 3
  for round = 1, rounds do
    for i = round, 600 + round do
      t[words[i]] = i
      t[words[i * 7 % 1500 + 1]] = nil
    end
    if round % 7 == 0 then t = { [words[round]] = t[words[round]] } end
  end
  return 1
end

return policy

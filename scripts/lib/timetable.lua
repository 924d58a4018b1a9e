-- timetable.lua: jobs laid into the servers that are free over time, for policies that plan (fewest_late.lua).
--
--   local timetable = require("timetable")
--   local laid, out = timetable.make(list, cluster, anew)
--
-- list: { { id =, deadline =, choices = { { servers =, time =, work = }, ... } }, ... }, choices in the order in
-- which they are tried. Laid are those that can all be in time, earliest deadline first, each with `choice` and
-- `from`, the time when it begins; out are the others: where one comes late, the one with the most work up to
-- there is left out (Hodgson's algorithm: Moore, Management Science 1968). Running jobs keep their servers
-- to their end; with `anew` they are in the list, too, and all servers are free. Blocks are not looked at.
local timetable = {}

-- Free servers over time: { from, free }, ...

-- As running jobs end; all of them from now on where those are laid anew.
local function forecast_of_room(cluster, anew)
  if anew then
    return { { from = cluster.now, free = cluster.servers } }
  end
  local running, room = {}, { { from = cluster.now, free = cluster.free } }
  for i, job in ipairs(cluster.running) do
    running[i] = { finish = job.finish, servers = #job.servers }
  end
  table.sort(running, function(a, b)
    return a.finish < b.finish
  end)
  for _, job in ipairs(running) do
    room[#room + 1] = { from = job.finish, free = room[#room].free + job.servers }
  end
  return room
end

-- The first time from which so many servers are free for so long.
local function earliest(room, servers, time)
  local from
  for _, piece in ipairs(room) do
    if from and piece.from >= from + time then
      return from
    end
    from = piece.free >= servers and (from or piece.from) or nil
  end
  return from
end

local function take(room, servers, from, to)
  local last = 1
  while room[last + 1] and room[last + 1].from <= to do
    last = last + 1
  end
  if room[last].from < to then
    table.insert(room, last + 1, { from = to, free = room[last].free })
  end
  for _, piece in ipairs(room) do
    if piece.from >= from and piece.from < to then
      piece.free = piece.free - servers
    end
  end
end

-- Lays one job; false: it would be late.
local function lay(entry, room)
  for _, choice in ipairs(entry.choices) do
    local from = earliest(room, choice.servers, choice.time)
    if from and from + choice.time <= entry.deadline then
      entry.choice, entry.from = choice, from
      take(room, choice.servers, from, from + choice.time)
      return true
    end
  end
  return false
end

-- What a job takes that could be in time if it started now; nothing is lost with one that cannot.
local function least_work(entry, now)
  for _, choice in ipairs(entry.choices) do
    if now + choice.time <= entry.deadline then
      return choice.work
    end
  end
  return math.huge
end

-- Of the jobs up to the one that is late, that with the most work.
local function heaviest(list, late, now)
  local worst, most = late, least_work(list[late], now)
  for i = 1, late - 1 do
    if list[i].choice.work > most then
      worst, most = i, list[i].choice.work
    end
  end
  return worst
end

-- Which one comes late; nil: none.
local function lay_all(list, cluster, anew)
  local room = forecast_of_room(cluster, anew)
  for i, entry in ipairs(list) do
    if not lay(entry, room) then
      return i
    end
  end
end

function timetable.make(list, cluster, anew)
  local out = {}
  table.sort(list, function(a, b)
    return a.deadline < b.deadline or (a.deadline == b.deadline and a.id < b.id)
  end)
  local late = lay_all(list, cluster, anew)
  while late do
    out[#out + 1] = table.remove(list, heaviest(list, late, cluster.now))
    late = lay_all(list, cluster, anew)
  end
  return list, out
end

return timetable

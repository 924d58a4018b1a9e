-- circuits.lua: schedules of matchings for circuit switches.
--
--   local circuits = require("circuits")
--   local schedule = circuits.solstice(demand, delta)      --> { { match = {...}, hold = s }, ... }
--   local seconds = circuits.time(schedule, delta)
--
-- demand[i][j]: seconds that the circuit from input i to output j has to be lit, a square matrix
-- (bytes divided by the rate of a circuit). delta: seconds of darkness whenever a matching is set.
-- match[i] is the output that input i is joined to, false where there is nothing to send. Every
-- schedule here serves the demand to the last bit. Lower bound of all: the greatest sum of a row or
-- column, and delta for every matching.
local circuits = {}

local function copy(demand)
  local rest = {}
  for i, row in ipairs(demand) do
    rest[i] = table.move(row, 1, #row, 1, {})
  end
  return rest
end

local function greatest(matrix)
  local most = 0
  for _, row in ipairs(matrix) do
    most = math.max(most, table.unpack(row))
  end
  return most
end

-- Sums of rows and columns, and the greatest of them.
local function sums(matrix)
  local rows, columns, most = {}, {}, 0
  for i, row in ipairs(matrix) do
    rows[i] = 0
    for j, entry in ipairs(row) do
      rows[i] = rows[i] + entry
      columns[j] = (columns[j] or 0) + entry
    end
  end
  for i = 1, #rows do
    most = math.max(most, rows[i], columns[i])
  end
  return rows, columns, most
end

-- Adds a matching to the schedule and takes what it serves from the rest; pairs without anything left
-- stay dark.
local function serve(schedule, rest, found, hold)
  local lit, any = {}, false
  for i, row in ipairs(rest) do
    local j = found[i]
    lit[i] = j and row[j] > 0 and j or false
    if lit[i] then
      row[j] = row[j] > hold and row[j] - hold or 0
      any = true
    end
  end
  if any then
    schedule[#schedule + 1] = { match = lit, hold = hold }
  end
end

-- Least and greatest entry that a matching takes.
local function range(matrix, found)
  local least, most = math.huge, 0
  for i, row in ipairs(matrix) do
    if found[i] then
      least, most = math.min(least, row[found[i]]), math.max(most, row[found[i]])
    end
  end
  return least, most
end

-- The last matching of a schedule that joins i to j.
local function last_with(schedule, i, j)
  for k = #schedule, 1, -1 do
    if schedule[k].match[i] == j then
      return schedule[k]
    end
  end
end

-- What is left of the demand after a schedule.
function circuits.left(demand, schedule)
  local rest = copy(demand)
  for _, entry in ipairs(schedule) do
    serve({}, rest, entry.match, entry.hold)
  end
  return rest
end

-- Serves what rounding has left over: a little more of the matchings that there are, else new ones.
local function mop_up(schedule, demand)
  local small = circuits.bound(demand) * 1e-9
  for i, row in ipairs(circuits.left(demand, schedule)) do
    for j, left in ipairs(row) do
      local entry = left > 0 and left <= small and last_with(schedule, i, j)
      if entry then
        entry.hold = entry.hold + 2 * left
      end
    end
  end
  local rest = circuits.left(demand, schedule)
  while greatest(rest) > 0 do
    local found = match.max_weight(rest)
    local _, most = range(rest, found)
    serve(schedule, rest, found, most)
  end
  return schedule
end

-- Seconds until a schedule is over: each matching is dark for delta, unless it was set before, then
-- lit.
function circuits.time(schedule, delta)
  local seconds = 0
  for _, entry in ipairs(schedule) do
    seconds = seconds + (entry.set and 0 or delta) + entry.hold
  end
  return seconds
end

-- The greatest sum of a row or column: no schedule takes less.
function circuits.bound(demand)
  local _, _, most = sums(demand)
  return most
end

-- Pads to equal sums of rows and columns, first where there is demand, then anywhere.
-- Source: QuickStuff of Solstice (Liu et al., CoNEXT 2015).
function circuits.stuff(demand)
  local padded = copy(demand)
  local rows, columns, most = sums(padded)
  for pass = 1, 2 do
    for i, row in ipairs(padded) do
      for j, entry in ipairs(row) do
        local add = math.min(most - rows[i], most - columns[j])
        if add > 0 and (pass == 2 or entry > 0) then
          row[j], rows[i], columns[j] = entry + add, rows[i] + add, columns[j] + add
        end
      end
    end
  end
  return padded
end

-- In order of inputs the first free output with demand; held until all of them are served.
-- Source: none, the simplest rule there is.
function circuits.first_fit(demand)
  local schedule, rest = {}, copy(demand)
  while greatest(rest) > 0 do
    local found, taken = {}, {}
    for i, row in ipairs(rest) do
      found[i] = false
      for j, entry in ipairs(row) do
        if entry > 0 and not taken[j] and not found[i] then
          found[i], taken[j] = j, true
        end
      end
    end
    local _, most = range(rest, found)
    serve(schedule, rest, found, most)
  end
  return schedule
end

-- Slots of `slot` seconds (default: ten times delta, at least a tenth of the bound), each with the
-- matching that has the most demand left.
-- Source: Helios (Farrington et al., SIGCOMM 2010), c-Through (Wang et al., SIGCOMM 2010).
function circuits.max_weight(demand, delta, options)
  local schedule, rest = {}, copy(demand)
  local slot = options and options.slot or math.max(10 * delta, circuits.bound(demand) / 10)
  while slot > 0 and greatest(rest) > 0 do
    serve(schedule, rest, match.max_weight(rest), slot)
  end
  return schedule
end

-- The padded demand as a sum of permutations: the bound, and delta for at most n * n - 2 * n + 2.
-- Source: Birkhoff (1946), von Neumann (1953); for circuits Mordia (Porter et al., SIGCOMM 2013).
function circuits.bvn(demand)
  local schedule, rest = {}, copy(demand)
  if circuits.bound(demand) > 0 then
    for _, term in ipairs(match.bvn(circuits.stuff(demand))) do
      serve(schedule, rest, term.match, term.weight)
    end
  end
  return mop_up(schedule, demand)
end

-- The matching of entries of `least` and more that joins all ports; nil when there is none.
local function perfect(matrix, least)
  local wide = {}
  for i, row in ipairs(matrix) do
    wide[i] = {}
    for j, entry in ipairs(row) do
      wide[i][j] = entry >= least and 1 or 0
    end
  end
  local found = match.max_weight(wide)
  for i = 1, #matrix do
    if not found[i] then
      return nil
    end
  end
  return found
end

-- Pads, then takes the largest slices first: the threshold is halved until entries above it join all
-- ports; these are held for the least of them, so that each slice uses an entry up.
-- Source: Solstice (Liu et al., CoNEXT 2015), which holds for the threshold and leaves the rest to a
-- packet switch; here circuits serve everything.
function circuits.solstice(demand)
  local schedule, rest, padded = {}, copy(demand), circuits.stuff(demand)
  local threshold = 1
  while threshold > 0 and threshold > greatest(padded) do
    threshold = threshold / 2
  end
  while threshold > 0 and threshold * 2 <= greatest(padded) do
    threshold = threshold * 2
  end
  local smallest = circuits.bound(demand) * 2 ^ -40
  while threshold > smallest do
    local found = perfect(padded, threshold)
    if found then
      local least = range(padded, found)
      serve(schedule, rest, found, least)
      serve({}, padded, found, least)
    else
      threshold = threshold / 2
    end
  end
  return mop_up(schedule, demand)
end

-- Different entries above 0, descending; about `most` of them.
local function entries(matrix, most)
  local all, kept = {}, {}
  for _, row in ipairs(matrix) do
    for _, entry in ipairs(row) do
      all[#all + 1] = entry > 0 and entry or nil
    end
  end
  table.sort(all, function(a, b) return a > b end)
  local step = math.max(1, #all // most)
  for i = 1, #all do
    if all[i] ~= kept[#kept] and (i % step == 1 or step == 1 or i == #all) then
      kept[#kept + 1] = all[i]
    end
  end
  return kept
end

-- Again and again the matching and duration of the most demand served per second, darkness counted;
-- of equals the longer one.
-- Source: Eclipse (Bojja Venkatakrishnan et al., SIGMETRICS 2016). Durations tried are the entries of
-- the rest (at most about options.tries, default 24), where the best one lies.
function circuits.eclipse(demand, delta, options)
  local schedule, rest = {}, copy(demand)
  local tries = options and options.tries or 24
  while greatest(rest) > 0 do
    local best, hold, rate = nil, nil, 0
    for _, alpha in ipairs(entries(rest, tries)) do
      local served = {}
      for i, row in ipairs(rest) do
        served[i] = {}
        for j, entry in ipairs(row) do
          served[i][j] = math.min(entry, alpha)
        end
      end
      local found = match.max_weight(served)
      local gain = match.value(served, found) / (alpha + delta)
      if gain > rate then
        best, hold, rate = found, alpha, gain
      end
    end
    -- until the first of its entries is used up the rate only rises
    serve(schedule, rest, best, math.max(hold, (range(rest, best))))
  end
  return schedule
end

-- Looks every `period` seconds (as slot of max_weight) and stays with the matching that is set, unless
-- the best one serves more than `threshold` (default 1) times as much in what the switching leaves of
-- the period. Periods of one matching are one entry: staying costs no darkness.
-- Source: the rule "reconfigure when it pays", here with the cost of the switch counted.
function circuits.hold_or_switch(demand, delta, options)
  options = options or {}
  local schedule, rest, before, set = {}, copy(demand), copy(demand), options.match
  local period = options.period or math.max(10 * delta, circuits.bound(demand) / 10)
  local threshold = options.threshold or 1
  local function gain(found, seconds)
    local sum = 0
    for i, row in ipairs(rest) do
      sum = sum + (found and found[i] and math.min(row[found[i]], seconds) or 0)
    end
    return sum
  end
  while period > 0 and greatest(rest) > 0 do
    local best, stay, last = match.max_weight(rest), gain(set, period), schedule[#schedule]
    if stay == 0 or gain(best, math.max(period - delta, 0)) > threshold * stay then
      set, before = best, copy(rest)
      last = { match = set, hold = 0 }
      schedule[#schedule + 1] = last
    elseif not last then
      last = { match = set, hold = 0, set = true }
      schedule[1] = last
    end
    last.hold = last.hold + period
    rest = copy(before) -- not period by period, which rounds otherwise than one hold of all
    serve({}, rest, set, last.hold)
  end
  return schedule
end

return circuits

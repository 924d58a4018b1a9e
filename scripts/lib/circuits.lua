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

-- Demand is mostly 0: a port sends to few others. So schedules work on the entries that are not: entry
-- k stands in row[k] and column[k] of n x n, and at[i * n + j] is the k of a place. Matrices with
-- the same places share these lists and differ in `value`.
local function entries_of(demand)
  local value, places = match.entries(demand)
  local n, row, column, at = places.n, places.row, places.column, {}
  for k, i in ipairs(row) do
    at[i * n + column[k]] = k
  end
  return { n = n, row = row, column = column, at = at, value = value }
end

local function with(matrix, value)
  return { n = matrix.n, row = matrix.row, column = matrix.column, at = matrix.at, value = value }
end

local function copy(matrix)
  return with(matrix, table.move(matrix.value, 1, #matrix.value, 1, {}))
end

-- All n x n entries.
local function full(matrix)
  local rows, n, zeros = {}, matrix.n, {}
  for j = 1, n do
    zeros[j] = 0
  end
  for i = 1, n do
    rows[i] = table.move(zeros, 1, n, 1, {})
  end
  for k, entry in ipairs(matrix.value) do
    rows[matrix.row[k]][matrix.column[k]] = entry
  end
  return rows
end

local function greatest(matrix)
  local most = 0
  for _, entry in ipairs(matrix.value) do
    if entry > most then
      most = entry
    end
  end
  return most
end

-- Sums of rows and columns, and the greatest of them.
local function sums(matrix)
  local rows, columns, most = {}, {}, 0
  for i = 1, matrix.n do
    rows[i], columns[i] = 0, 0
  end
  for k, entry in ipairs(matrix.value) do
    local i, j = matrix.row[k], matrix.column[k]
    rows[i], columns[j] = rows[i] + entry, columns[j] + entry
  end
  for i = 1, matrix.n do
    most = math.max(most, rows[i], columns[i])
  end
  return rows, columns, most
end

-- Adds a matching to the schedule, if there is one, and takes what it serves from the rest; pairs without
-- anything left stay dark.
local function serve(schedule, rest, found, hold)
  local n, at, value, lit, any = rest.n, rest.at, rest.value, {}, false
  for i = 1, n do
    local j = found[i]
    local k = j and at[i * n + j]
    local entry = k and value[k]
    lit[i] = entry and entry > 0 and j or false
    if lit[i] then
      value[k] = entry > hold and entry - hold or 0
      any = true
    end
  end
  if any and schedule then
    schedule[#schedule + 1] = { match = lit, hold = hold }
  end
end

-- Takes off what a matching of a schedule serves.
local function take(rest, found, hold)
  local n, at, value = rest.n, rest.at, rest.value
  for i = 1, n do
    local j = found[i]
    local k = j and at[i * n + j]
    if k then
      local entry = value[k]
      value[k] = entry > hold and entry - hold or 0
    end
  end
end

-- Least and greatest entry that a matching takes.
local function range(matrix, found)
  local least, most, n = math.huge, 0, matrix.n
  for i = 1, n do
    if found[i] then
      local entry = matrix.value[matrix.at[i * n + found[i]]] or 0
      if entry < least then least = entry end
      if entry > most then most = entry end
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

local function left_of(demand, schedule)
  local rest = copy(demand)
  for _, entry in ipairs(schedule) do
    take(rest, entry.match, entry.hold)
  end
  return rest
end

-- What is left of the demand after a schedule.
function circuits.left(demand, schedule)
  return full(left_of(entries_of(demand), schedule))
end

-- Serves what rounding has left over: a little more of the matchings that there are, else new ones.
local function mop_up(schedule, demand)
  local _, _, bound = sums(demand)
  local small, any, rest = bound * 1e-9, false, left_of(demand, schedule)
  for k, left in ipairs(rest.value) do
    local entry = left > 0 and left <= small and last_with(schedule, rest.row[k], rest.column[k])
    if entry then
      entry.hold, any = entry.hold + 2 * left, true
    end
  end
  rest = any and left_of(demand, schedule) or rest
  while greatest(rest) > 0 do
    local found = match.max_weight(rest.value, rest)
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
  local _, _, most = sums(entries_of(demand))
  return most
end

-- Adds to an entry, which may be 0 so far.
local function add_to(matrix, i, j, more)
  local place = i * matrix.n + j
  local k = matrix.at[place]
  if not k then
    k = #matrix.value + 1
    matrix.at[place], matrix.row[k], matrix.column[k], matrix.value[k] = k, i, j, 0
  end
  matrix.value[k] = matrix.value[k] + more
end

-- The same entries in lists of its own, to which others may be added.
local function apart(matrix)
  local own, at, n = copy(matrix), {}, matrix.n
  for k, i in ipairs(matrix.row) do
    at[i * n + matrix.column[k]] = k
  end
  own.row = table.move(matrix.row, 1, #matrix.row, 1, {})
  own.column = table.move(matrix.column, 1, #matrix.column, 1, {})
  own.at = at
  return own
end

local function stuffed(demand)
  local padded = apart(demand)
  local rows, columns, most = sums(padded)
  local function pad(i, j)
    local add = math.min(most - rows[i], most - columns[j])
    if add > 0 then
      add_to(padded, i, j, add)
      rows[i], columns[j] = rows[i] + add, columns[j] + add
    end
  end
  for k, i in ipairs(demand.row) do
    if demand.value[k] > 0 then
      pad(i, demand.column[k])
    end
  end
  -- columns that lack something, each with the next one: who is full stays so
  local after = {}
  for j = 0, demand.n do
    after[j] = j + 1
  end
  for i = 1, demand.n do
    local before, j = 0, after[0]
    while j <= demand.n and most - rows[i] > 0 do
      pad(i, j)
      if most - columns[j] > 0 then
        before = j
      else
        after[before] = after[j]
      end
      j = after[j]
    end
  end
  return padded
end

-- Pads to equal sums of rows and columns, first where there is demand, then anywhere.
-- Source: QuickStuff of Solstice (Liu et al., CoNEXT 2015).
function circuits.stuff(demand)
  return full(stuffed(entries_of(demand)))
end

-- In order of inputs the first free output with demand; held until all of them are served.
-- Source: none, the simplest rule there is.
function circuits.first_fit(demand)
  local schedule, rest = {}, entries_of(demand)
  while greatest(rest) > 0 do
    local found, taken = {}, {}
    for k, entry in ipairs(rest.value) do
      local i, j = rest.row[k], rest.column[k]
      if entry > 0 and not taken[j] and not found[i] then
        found[i], taken[j] = j, true
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
  local schedule, rest = {}, entries_of(demand)
  local _, _, bound = sums(rest)
  local slot = options and options.slot or math.max(10 * delta, bound / 10)
  while slot > 0 and greatest(rest) > 0 do
    serve(schedule, rest, (match.max_weight(rest.value, rest)), slot)
  end
  return schedule
end

-- The padded demand as a sum of permutations: the bound, and delta for at most n * n - 2 * n + 2.
-- Source: Birkhoff (1946), von Neumann (1953); for circuits Mordia (Porter et al., SIGCOMM 2013).
function circuits.bvn(demand)
  local schedule, wanted = {}, entries_of(demand)
  local _, _, bound = sums(wanted)
  if bound > 0 then
    local rest, padded = copy(wanted), stuffed(wanted)
    for _, term in ipairs((match.bvn(padded.value, padded))) do
      serve(schedule, rest, term.match, term.weight)
    end
  end
  return mop_up(schedule, wanted)
end

-- The matching of entries of `least` and more that joins all ports; nil when there is none.
local function perfect(matrix, least)
  local wide = {}
  for k, entry in ipairs(matrix.value) do
    wide[k] = entry >= least and 1 or 0
  end
  local found, joined = match.max_weight(wide, matrix)
  return joined == matrix.n and found or nil
end

-- Pads, then takes the largest slices first: the threshold is halved until entries above it join all
-- ports; these are held for the least of them, so that each slice uses an entry up.
-- Source: Solstice (Liu et al., CoNEXT 2015), which holds for the threshold and leaves the rest to a
-- packet switch; here circuits serve everything.
function circuits.solstice(demand)
  local schedule, wanted = {}, entries_of(demand)
  local rest, padded = copy(wanted), stuffed(wanted)
  local threshold = 1
  while threshold > 0 and threshold > greatest(padded) do
    threshold = threshold / 2
  end
  while threshold > 0 and threshold * 2 <= greatest(padded) do
    threshold = threshold * 2
  end
  local _, _, bound = sums(wanted)
  local smallest = bound * 2 ^ -40
  while threshold > smallest do
    local found = perfect(padded, threshold)
    if found then
      local least = range(padded, found)
      serve(schedule, rest, found, least)
      take(padded, found, least)
    else
      threshold = threshold / 2
    end
  end
  return mop_up(schedule, wanted)
end

-- Different entries above 0, descending; about `most` of them.
local function entries(matrix, most)
  local all, kept = {}, {}
  for _, entry in ipairs(matrix.value) do
    all[#all + 1] = entry > 0 and entry or nil
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
  local schedule, rest = {}, entries_of(demand)
  local tries = options and options.tries or 24
  while greatest(rest) > 0 do
    local best, hold, rate = nil, nil, 0
    for _, alpha in ipairs(entries(rest, tries)) do
      local served = {}
      for k, entry in ipairs(rest.value) do
        served[k] = entry < alpha and entry or alpha
      end
      local found, sum = match.max_weight(served, rest)
      local gain = sum / (alpha + delta)
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
  local schedule, rest, set = {}, entries_of(demand), options.match
  local _, _, bound = sums(rest)
  local before, period = copy(rest), options.period or math.max(10 * delta, bound / 10)
  local threshold = options.threshold or 1
  local function gain(found, seconds)
    local sum, n = 0, rest.n
    for i = 1, found and n or 0 do
      local entry = found[i] and rest.value[rest.at[i * n + found[i]]]
      sum = sum + (entry and math.min(entry, seconds) or 0)
    end
    return sum
  end
  while period > 0 and greatest(rest) > 0 do
    local best = match.max_weight(rest.value, rest)
    local stay, last = gain(set, period), schedule[#schedule]
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
    take(rest, set, last.hold)
  end
  return schedule
end

return circuits

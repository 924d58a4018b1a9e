#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# cluster:stops and cluster:passes_at beside the walks over cluster.running that they stand for, at
# every event of runs with preemption, on several fabrics; what is said to wrong arguments.
# Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-stops.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        head -n 12 out err | cut -c1-200 | sed 's/^/  /'
        echo "not ok $2"
        failed=1
    fi
}

cat >walks.lua <<'EOF'
local preempt = require("preempt")
local policy = { name = "walks", api = 1, params = { degree = { default = 2 } } }
local LEVELS = { 40, 90, 60, 400 }

local function work(job)
  if job.rigid then
    return job.rigid * (job.remaining or job.duration)
  end
  return job.sequential_jct * (1 - job.steps_done / job.steps)
end

local function level(job)
  for i, at in ipairs(LEVELS) do
    if job.attained < at then
      return i - 1
    end
  end
  return #LEVELS
end

local RANKS = {
  { "work", work },
  { "service", function(job) return job.attained end },
  { "service", level, LEVELS },
}

preempt(policy, function(_, job) return work(job) end)

local function one_by_one(rank, above, n, cluster)
  local list = {}
  for _, job in ipairs(cluster.running) do
    list[#list + 1] = rank(job) > above and job or nil
  end
  table.sort(list, function(a, b)
    return rank(a) > rank(b) or (rank(a) == rank(b) and a.id > b.id)
  end)
  for i = 1, #list do
    local first = table.move(list, 1, i, 1, {})
    if cluster:fits(n, first) then
      return first
    end
  end
end

local function names(list)
  local ids = {}
  for i, job in ipairs(list or {}) do
    ids[i] = job.id
  end
  return list and table.concat(ids, " ") or "nobody"
end

local function next_passing(cluster)
  local first
  for _, job in ipairs(cluster.running) do
    local limit = LEVELS[level(job) + 1]
    local at = limit and cluster.now + (limit - job.attained) / #job.servers * 1.000001 + 1e-6
    if at and at < job.finish and (not first or at < first) then
      first = at
    end
  end
  return first
end

local review = policy.review
function policy:review(event, cluster)
  local mem = self.mem
  for _, kind in ipairs(RANKS) do
    for _, n in ipairs({ 1, 3, 4, 8, cluster.servers, cluster.servers + 1 }) do
      for _, above in ipairs({ -1, 0, 1, 50, 200 }) do
        local found = cluster:stops(n, kind[1], above, kind[3])
        local expected = one_by_one(kind[2], above, n, cluster)
        assert(names(found) == names(expected), ("%d servers, %s above %g: %s, expected %s"):format(
          n, kind[1], above, names(found), names(expected)))
        mem.found = (mem.found or 0) + (found and #found > 1 and 1 or 0)
      end
    end
  end
  local at, expected = cluster:passes_at(LEVELS), next_passing(cluster)
  assert(at == expected, ("passes at %s, expected %s"):format(at, expected))
  mem.passes = (mem.passes or 0) + (at and 1 or 0)
  return review(self, event, cluster)
end

local place = policy.place
function policy:place(job, cluster)
  local answer, why, retry = place(self, job, cluster)
  if answer == "wait" then
    return answer, why, retry
  end
  return answer, ("found %d, passes %d"):format(self.mem.found or 0, self.mem.passes or 0)
end

return policy
EOF
# compare NAME SCENARIO [OPTION]...
compare() {
    local name=$1 scenario=$2
    shift 2
    "$lightpath" run "$scenario" --policy walks.lua "$@" --json >out 2>err
    [ $? -eq 0 ] && [ ! -s err ] && grep -q '"completed"' out && ! grep -q 'policy_error' out &&
        grep -qE 'found [1-9][0-9]*, passes [1-9]' out
    result $? "as a walk over the running jobs: $name"
}
rigid() { # rigid CLUSTER [JOB KEYS]
    awk -v cluster="$1" -v more="${2-}" 'BEGIN {
        srand(7)
        printf "{\"lightpath\":1,\"cluster\":%s,\"queue_capacity\":500,\"jobs\":[", cluster
        for (i = 0; i < 50; i++)
            printf "%s{\"servers\":%d,\"duration\":%d,\"arrival\":%d%s}", i ? "," : "", 1 + int(5 * rand()), 5 + int(60 * rand()), i * 4,
                i % 3 ? more : ""
        print "]}"
    }'
}
rigid '{"fabric":"ideal","ideal":{"servers":12}}' >ideal.json
rigid '{"fabric":"ideal","ideal":{"servers":12}}' ',"requested":40' >veiled.json
rigid '{"fabric":"ramp","ramp":{"communication_groups":3,"racks_per_group":2,"servers_per_rack":2}}' >ramp.json
compare "any servers" ideal.json
compare "times that were requested" veiled.json
compare "blocks of a shape" ramp.json
compare "jobs with a graph" "$root/scenarios/pac-ml-32.json" --set generator.count=40 --set generator.load=1.5 --set queue_capacity=40

# wrong CALL MESSAGE: what an answer with this call is told
wrong() {
    cat >wrong.lua <<EOF
local policy = { name = "wrong", api = 1 }
function policy:partition(job, cluster)
  return nil, $1 and "found" or "none"
end
return policy
EOF
    "$lightpath" run "$root/scenarios/pac-ml-32.json" --policy wrong.lua --set generator.count=1 >out 2>err
    grep -qF -- "$2" err
    result $? "told: $2"
}
wrong 'cluster:stops(0, "work", 1)' 'cluster:stops: number of servers is 0; expected a whole number from 1 on'
wrong 'cluster:stops(4, "age", 1)' 'cluster:stops: by is "age"; expected "work" or "service"'
wrong 'cluster:stops(4, "work", {})' 'number expected, got table'
wrong 'cluster:stops(4, "service", 1, { 3, "x" })' 'cluster:stops: level 2 is "x"; expected a number'
wrong 'cluster:passes_at({ true })' 'cluster:passes_at: level 1 is true; expected a number'
wrong 'cluster:passes_at(3)' 'table expected, got number'
exit $failed

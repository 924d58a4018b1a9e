#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Circuits by hand: four servers round one switch, 1 GB of parameters, two replicas, circuits of 1 GB/s
# that take 2 s to set. A step computes for 1 s and sends 1 GB by a ring of two; the adds of 0.5e9
# bytes of operands at an intensity of 1/6 (A100, 2.039 TB/s) come to it.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
lightpath=${LIGHTPATH:-build/release/lightpath}
work=$(mktemp -d "${TMPDIR:-/tmp}/circuits.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# expect NAME WANTED GOT
expect() {
    if [ "$2" = "$3" ]; then
        echo "ok $1"
    else
        echo "expected: $2"
        echo "got:      $3"
        echo "not ok $1"
        failed=1
    fi
}

# run POLICY [OPTION...]: the lines of the jobs, and stderr
run() {
    local policy=$1
    shift
    "$lightpath" run "$work/s.json" --policy "$work/$policy.lua" --json "$@" >"$work/out" 2>"$work/err"
}

# field KEY JOB: of one job's line, to six digits
field() {
    printf '%.6f' "$(grep "^{\"id\":$2," "$work/out" | grep -o "\"$1\":[^,}]*" | head -n 1 | cut -d: -f2)"
}

# hand EXPRESSION: with T, the step at full rate
hand() {
    awk "BEGIN { adds = 0.5e9 / 2 / (2.039e12 / 6); T = 2 + adds; printf \"%.6f\", $1 }"
}

# policy NAME HOOKS
policy() {
    printf 'local policy = { name = "%s", api = 1 }\n%s\nreturn policy\n' "$1" "$2" >"$work/$1.lua"
}

cat >"$work/one.json" <<'END'
{ "lightpath_profile": 1, "ops": [ { "id": 1, "forward": 1, "backward": 1, "activation": 0, "parameters": 1e9 } ], "edges": [] }
END
cat >"$work/s.json" <<'END'
{ "lightpath": 1, "name": "s", "cluster": { "fabric": "ocs", "ocs": { "servers": 4, "aggregators": 0,
  "server_bandwidth": "1 GB/s", "server_delay": 0, "io_latency": 0, "ring": "given",
  "reconfiguration": "2 s", "interval": "100 s" } },
  "graphs": [ { "id": "one", "file": "one.json", "format": "lightpath" } ],
  "jobs": [ { "graph": "one", "arrival": 0, "steps": 10 }, { "graph": "one", "arrival": 0, "steps": 10 } ],
  "partition": { "kind": "data", "max_degree": 2, "min_op_time": 1e-9 }, "memory": { "state_factor": 4 } }
END
place='function policy:place(job) return { servers = { 2 * job.id, 2 * job.id + 1 } } end'

# Both are dark for 2 s; the circuits of the second do not disturb those of the first.
policy own "$place"
run own
expect "light after the switching" "$(hand '2 + 10 * T')" "$(field end 0)"
expect "... and what it cost" 2.000000 "$(field reconfiguration_time 0)"
expect "circuits of others stay" "$(field end 0)" "$(field end 1)"

# A cycle of 3 s and 1 s with 2 s of darkness before each: 8 s. The first pair is lit for 3 of them, the
# second, joined in both, all of the time.
policy cycle "$place
function policy:configure()
  return { { match = { 2, 1, 4, 3 }, hold = 3 }, { match = { false, false, 4, 3 }, hold = 1 } }
end"
run cycle
expect "three eighths of the light" "$(hand '10 * (T - 1 + 8 / 3)')" "$(field end 0)"
expect "a circuit that stays all of the light" "$(hand '10 * T')" "$(field end 1)"

# Nobody orders anything before the third interval: 300 s of waiting, 2 s of switching.
policy late "$place
function policy:configure(fabric, demand, cluster)
  return cluster.now >= 250 and { { match = { 2, 1, 4, 3 }, hold = 1 } } or nil
end"
run late
expect "an order that comes late" "$(hand '302 + 10 * T')" "$(field end 0)"
expect "... waited for a circuit" 300.000000 "$(field circuit_wait 0)"

# Nobody ever orders anything: after a hundred intervals the run gives up.
policy never "$place
function policy:configure() return nil end"
run never
expect "no order at all" '"completed":0,"blocked":0,"unfinished":2' \
    "$(grep -o '"completed":0,"blocked":0,"unfinished":2' "$work/out")"
expect "... after a hundred intervals" 10000.000000 "$(field circuit_wait 0)"

# Moved at 10 s with three steps done: 2 s of switching, then 4 GB of checkpoint onto two servers.
policy move 'function policy:partition(job)
  if job.id > 0 then return nil, "not this one" end
  return 2
end
function policy:place() return { servers = { 0, 1 } } end
function policy:review(event, cluster)
  if event.kind == "start" then return { { "wake", at = 10 } } end
  if event.kind ~= "wake" then return nil end
  local move = { "migrate", job = 0, servers = { 2, 3 } }
  local cost = cluster:cost(move)
  if cost.seconds ~= 4 or cost.bytes ~= 4e9 then error("costs " .. cost.seconds) end
  return { move }
end'
run move
expect "a job moves: switching, then its checkpoint" "$(hand '10 + 2 + 2 + 7 * T')" "$(field end 0)"
expect "... without a complaint" "" "$(cat "$work/err")"

# refused NAME WANTED MATCHES: what is not a matching changes nothing and is named
refused() {
    policy wrong "$place
function policy:configure(fabric, demand, cluster)
  return { { match = $3, hold = 1 } }
end"
    run wrong --until "50 s"
    expect "$1" "$2" "$(grep -o '"message":"[^"]*' "$work/err" "$work/out" | head -n 1 | sed 's/.*"message":"//')"
    expect "... changes nothing" 0.000000 "$(field reconfiguration_time 0)"
}

refused "two inputs for one output" \
    "configure: port 1 (server 1) is joined to ports 0 (server 0) and 2 (server 2) at once (rule one_circuit_per_port)" \
    '{ 2, 1, 2, 3 }'
refused "a port that is not there" "configure: matching 1 is 9; expected a whole number from 1 to 4" '{ 9 }'
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs that would never end: they are ended, say so with the reason, and exit with 1; `check` warns of
# them where failures alone make them so. Runs that do end, however often their jobs are stopped, are
# left alone. Needs $LIGHTPATH and jq; without jq: skipped.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v jq >/dev/null || { echo "skip jq is missing" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-endless.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  err: /' err | head -n 20
        echo "not ok $2"
        failed=1
    fi
}
# endless NAME SCENARIO...: the first line says so, the results are there, the exit status is 1
endless() {
    local name=$1
    shift
    "$lightpath" run "$@" --json >out 2>err </dev/null
    [ $? -eq 1 ] && head -n 1 err | grep -q '^lightpath: the run cannot end, it was stopped at .*unfinished; job 0 ' &&
        jq -e '.stuck.cause == "endless" and (.stuck.text | startswith("the run cannot end")) and .summary.unfinished > 0' out >/dev/null
    result $? "ended: $name"
}
# ends NAME SCENARIO...: nothing of the kind
ends() {
    local name=$1
    shift
    "$lightpath" run "$@" --json >out 2>err </dev/null && ! grep -q 'cannot end' err &&
        jq -e '.stuck == null and .summary.completed == (.jobs | length)' out >/dev/null
    result $? "not ended: $name"
}
# warns WHETHER NAME WORDS FILE
warns() {
    "$lightpath" check "$4" >out 2>err </dev/null && grep -qF -- "$3" out
    [ $? -eq "$1" ]
    result $? "check: $2"
}
scenario() { # scenario SERVERS FAILS REPAIR ON_FAILURE JOB
    printf '{ "lightpath": 1, "cluster": { "fabric": "ideal", "ideal": { "servers": %s } }, "queue_capacity": 5, "on_failure": "%s",
  "failures": { "server": { "fails": { "exponential": { "mean": %s } }, "repair": { "exponential": { "mean": %s } } } },
  "jobs": [ { "duration": %s } ] }\n' "$1" "$4" "$2" "$3" "$5"
}

# ---- servers and jobs ----

never=', "checkpoint": { "interval": 900, "cost": 1, "restart": 1 }'
scenario 64 100 1 spare "10000, \"servers\": 4$never" >spare.json
endless "spares at once, checkpoints too far apart" spare.json
warns 0 "a job that keeps nothing between failures" 'jobs[0]: a failure stops it every 25 s on average, and any work is kept only after 902 s' spare.json
scenario 64 100 1 hold "10000, \"servers\": 4$never" >hold.json
endless "held until mended, checkpoints too far apart" hold.json
scenario 32 10 100 requeue '1000, "servers": 32' >all.json
endless "servers that break faster than they are mended" all.json
warns 0 "servers that are hardly ever up together" 'jobs[0]: it needs 32 servers, each of which works 9.09 % of the time: so many of 32 hardly ever work at once' all.json
jq '.horizon = 1e5' all.json >h.json
"$lightpath" run h.json --json >out 2>err && jq -e '.stuck == null and .summary.unfinished == 1' out >/dev/null
result $? "a horizon ends it: nothing to say"
scenario 64 100 1 spare '10000, "servers": 4, "checkpoint": { "interval": 20, "cost": 1, "restart": 1 }' >near.json
ends "the same with checkpoints near each other" near.json
warns 1 "nothing of a run that ends" 'may not end' near.json
scenario 4 10 100 requeue '20, "servers": 4' >share.json
ends "a job that keeps its share, stopped many times" share.json
"$lightpath" compare spare.json --policy first_fit --policy random_servers --seeds 1 >out 2>err
grep -q 'the run cannot end' out
result $? "compare says which run cannot end"

# ---- pods, light, policies ----

cat >pod.json <<'JSON'
{ "lightpath": 1, "cluster": { "fabric": "pod", "pod": { "cubes": 4, "spares": 0 } }, "queue": "fifo",
  "failures": { "host": { "fails": { "exponential": { "mean": "1 d" } }, "repair": { "exponential": { "mean": "1 d" } } } },
  "jobs": [ { "slice": "4x4x8", "duration": 1e6, "checkpoint": { "interval": 1e-9, "cost": 1e-9 } } ] }
JSON
endless "a slice whose cubes are never up together, checkpoints each nanosecond" pod.json
warns 0 "cubes that are hardly ever up together" 'jobs[0]: it needs 2 cubes' pod.json
cat >dark.lua <<'LUA'
return { name = "dark", api = 1, configure = function(self, fabric, demand, cluster)
  return { { match = {} } }, "no light" end }
LUA
jq "del(.failures, .on_failure) | .generator.count = 1" "$root/scenarios/ocs-failures.json" >ocs.json
"$lightpath" run ocs.json --policy dark.lua --json >out 2>err </dev/null &&
    head -n 1 err | grep -q 'nothing would ever happen again: 1 job is unfinished' && jq -e '.stuck.cause == "idle"' out >/dev/null
result $? "light that nobody gives is told of"
cat >wait.lua <<'LUA'
return { name = "wait", api = 1, partition = function() return "wait" end }
LUA
"$lightpath" run two-servers --policy wait.lua --json >out 2>err </dev/null &&
    head -n 1 err | grep -q 'nothing would ever happen again: 2 jobs are unfinished; job ' && jq -e '.stuck.cause == "idle"' out >/dev/null
result $? "a policy that lets all wait for ever is told of"
"$lightpath" run llama-405b-rails --policy fewest_late --json >out 2>err </dev/null &&
    jq -e '.summary.blocked_by.declined == 3' out >/dev/null
result $? "fewest_late declines what may never be answered"

# ---- the end is in the history ----

printf ':seek 1e15 s\n:write s.json\n' >keys
"$lightpath" spare.json --keys keys >out 2>err </dev/null
"$lightpath" replay s.json --verify >out 2>>err
result $? "a session of a run that was ended verifies"
exit $failed

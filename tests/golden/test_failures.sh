#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Failures on fabrics other than pods, from outside: an example by hand for each answer, what each
# kind of component takes down, a policy that answers, its replay without it, and every refusal.
# Needs $LIGHTPATH, the program, and python3; without it: skipped.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v python3 >/dev/null || { echo "skip python3 is missing" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-failures.XXXXXX") || exit 1
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
# asked EXPRESSION: python about out, in one process for all of them: to start one takes longer than most runs
coproc PYTHON { exec python3 -u -c '
import json, sys
held = lambda i: {k: round(v, 9) for k, v in j[i]["accounts"].items() if abs(v) > 1e-9}
adds = lambda a: abs(sum(v for k, v in a.items() if k != "held") - a["held"]) < 1e-9 * max(1, a["held"])
good = lambda expression: all(adds(x["accounts"]) for x in j) and adds(s["accounts"]) and eval(expression)
told = lambda: "jobs: %s\nsummary: %s" % ([(x["start"], x["end"], x["outcome"], x["stops"], held(i)) for i, x in enumerate(j[:4])], s)
while True:
    expression = b""
    while not expression.endswith(b"\0"):
        byte = sys.stdin.buffer.read(1)
        if not byte:
            sys.exit(0)
        expression += byte
    try:
        with open("out") as text:
            d = json.load(text)
        j, s = d["jobs"], d["summary"]
        answer = "ok" if good(expression[:-1].decode()) else told()
    except Exception as e:
        answer = repr(e)
    print(answer.replace("\n", "; "))
'; }
asked() {
    local answer=none
    printf '%s\0' "$1" >&"${PYTHON[1]}" && IFS= read -r answer <&"${PYTHON[0]}"
    [ "$answer" = ok ] || { echo "$answer" >>err && return 1; }
}
# holds NAME EXPRESSION RUN...: python about the run's jobs (j) and summary (s)
holds() {
    local name=$1 expression=$2
    shift 2
    "$lightpath" run "$@" --json >out 2>err </dev/null && asked "$expression"
    result $? "$name"
}
refused() { # refused WORDS RUN...
    local words=$1
    shift
    "$lightpath" run "$@" >out 2>err </dev/null
    [ $? -eq 2 ] && grep -qF -- "$words" err
    result $? "refused: $words"
}

# 100 s of work, 20 s a checkpoint of 2 s; server 0 is down from 30 to 50: 8 s are lost.
cat >hand.json <<'JSON'
{ "lightpath": 1, "cluster": { "fabric": "ideal", "ideal": { "servers": 4 } },
  "failures": { "trace": "30,server,0,20" },
  "jobs": [ { "servers": 2, "duration": 100, "checkpoint": { "interval": 20, "cost": 2, "restart": 5 } } ] }
JSON
holds "spare: another server at once" \
    'j[0]["end"] == 121 and held(0) == {"useful": 100, "lost": 8, "checkpoint": 8, "restart": 5, "held": 121} and j[0]["stopped_by"] == "server 0"' hand.json
holds "the summary counts what broke" \
    's["failures"] == {"server": {"failures": 1, "repairs": 1, "down": 20}} and s["stops"] == 1 and s["lost_work"] == 16' hand.json
holds "spare: where there is none it waits" \
    'j[0]["end"] == 141 and held(0)["held"] == 121 and j[0]["wait"] == 20' hand.json --set cluster.ideal.servers=2
holds "requeue: offered at that instant" 'j[0]["end"] == 121 and held(0)["held"] == 121' hand.json --set on_failure=requeue
holds "hold: stands still until it is mended" \
    'j[0]["end"] == 141 and held(0) == {"useful": 100, "lost": 8, "checkpoint": 8, "restart": 5, "stalled": 20, "held": 141}' hand.json --set on_failure=hold
holds "abort: what was useful is lost" \
    'j[0]["outcome"] == "aborted" and held(0) == {"lost": 28, "checkpoint": 2, "held": 30} and s["aborted"] == 1' hand.json --set on_failure=abort
holds "without a checkpoint nothing is lost" 'j[0]["end"] == 100 and held(0) == {"useful": 100, "held": 100}' hand.json \
    --set 'jobs=[{"servers":2,"duration":100}]'
"$lightpath" run hand.json >out 2>err </dev/null && grep -q '^broke       server 1 time$' out &&
    grep -q '^failures    stopped jobs 1 time; 0 were given up' out && grep -q '^held time   useful 82.6 %, lost with failures 6.6 %, checkpoints 6.6 %, restarts 4.1 %' out
result $? "as text"
"$lightpath" run hand.json --csv >out 2>err </dev/null && python3 - <<'PY' 2>>err
import csv, sys
r = list(csv.DictReader(open("out")))[0]
parts = ["useful", "lost", "checkpoint", "restart", "settle", "slow", "stalled"]
sys.exit(0 if r["stops"] == "1" and r["stopped_by"] == "server 0" and sum(float(r[p]) for p in parts) == float(r["held"]) == 121 else str(r))
PY
result $? "as CSV"

# What else breaks: a step needs the light or cable, or goes on.
cat >graph.json <<'JSON'
{ "lightpath": 1, "cluster": { "fabric": "ramp", "ramp": { "communication_groups": 2, "racks_per_group": 1, "servers_per_rack": 2 } },
  "graphs": [ { "id": "a", "zoo": "alexnet" } ], "failures": { "trace": "1,circuit,0,5" }, "on_failure": "hold",
  "partition": { "kind": "data", "max_degree": 2 }, "jobs": [ { "graph": "a", "steps": 2000 } ] }
JSON
holds "ramp: light between two servers" \
    'j[0]["stops"] == 1 and j[0]["stopped_by"] == "light between servers 0 and 1" and held(0)["stalled"] == 5' graph.json
holds "ramp: light that it does not need" 'j[0]["stops"] == 0' graph.json --set 'failures.trace="1,circuit,5,5"'
packet='cluster={"fabric":"packet","packet":{"topology":"leaf_spine","leaves":2,"spines":1,"servers_per_leaf":2}}'
holds "packet: a server's cable" 'j[0]["stops"] == 1 and "link 0 (server 0 to switch 0)" == j[0]["stopped_by"] and held(0)["stalled"] == 5' \
    graph.json --set "$packet" --set 'failures.trace="1,link,0,5"'
holds "packet: its leaf switch" 'j[0]["stops"] == 1 and j[0]["stopped_by"] == "switch 0"' graph.json --set "$packet" --set 'failures.trace="1,switch,0,5"'
holds "packet: a leaf that it does not use" 'j[0]["stops"] == 0' graph.json --set "$packet" --set 'failures.trace="1,switch,1,5"'
ocs='cluster={"fabric":"ocs","ocs":{"servers":4,"nics":2,"switches":2,"interval":1}}'
holds "ocs: one fibre of two stops nobody" 'j[0]["stops"] == 0 and j[0]["outcome"] == "completed"' graph.json --set "$ocs" --set 'failures.trace="1,link,0,5"'
holds "ocs: without its last fibre a server is as broken" 'j[0]["stops"] == 1 and j[0]["stopped_by"] == "link 4 (server 0)" and held(0)["stalled"] >= 5' \
    graph.json --set "$ocs" --set 'failures.trace="1,link,0,5\n1,link,4,5"'
holds "shrink: fewer parts" 'j[0]["stops"] == 1 and j[0]["degree"] == 1 and j[0]["outcome"] == "completed"' graph.json \
    --set on_failure=shrink --set 'failures.trace="1,server,0,500"' --set cluster.ramp.communication_groups=1 --set cluster.ramp.servers_per_rack=2

# A policy answers; its answers are in the log.
cat >answer.lua <<'LUA'
local policy = { name = "answer", api = 1, params = { word = { default = "hold" } } }
function policy:failure(job, what, cluster)
  assert(what.kind == "server" and what.index == 0 and what.name == "server 0" and what.cubes == nil)
  assert(#what.servers == 1 and what.servers[1] == 0 and what.stops and what.saved == 20 and what.lost == 8)
  if self.p.word == "table" then return { "spare", servers = { [0] = 3 } }, "by name" end
  if self.p.word == "wrong" then return { "spare", servers = { [0] = 1 } } end
  if self.p.word == "none" then return nil end
  return self.p.word, "as told"
end
return policy
LUA
holds "the hook: hold" 'j[0]["end"] == 141 and j[0]["why"] == "as told"' hand.json --policy ./answer.lua
holds "the hook: abort" 'j[0]["outcome"] == "aborted"' hand.json --policy ./answer.lua --param word=abort
holds "the hook: nil is as the scenario says" 'j[0]["end"] == 121' hand.json --policy ./answer.lua --param word=none
holds "the hook: which servers stand in" 'j[0]["end"] == 121 and j[0]["servers"] == [3, 1]' hand.json --policy ./answer.lua --param word=table
"$lightpath" run hand.json --policy ./answer.lua --param word=wrong --json >out 2>err </dev/null
grep -q 'failure: spare: server 1 is not usable' err && python3 -c 'import json, sys; sys.exit(json.load(open("out"))["jobs"][0]["end"] != 121)'
result $? "the hook: what cannot be followed is refused, and the scenario answers"
# Played on screen, with ways back over failures and a fork without one, saved, replayed, verified.
hash_of() { "$lightpath" run "$@" --json 2>>err </dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["hash"])'; }
kept() { # kept NAME SCENARIO OPTIONS...
    local name=$1
    shift
    rm -f kept.session
    "$lightpath" "$@" --keys walk --size 100x30 --save-screen screen >out 2>err </dev/null &&
        "$lightpath" replay kept.session --verify --json >out 2>>err </dev/null &&
        grep -q "\"name\":\"main\".*\"hash\":\"$(hash_of "$@")\"" out
    result $? "$name: rewound, forked, replayed and verified as the straight run"
}
cat >walk <<'END'
:write kept.session
n*400
:seek 1s
:fork without_failure=server:0
n*9
:branch main
:seek 1s
n*400
:back 2
n*400
:write
END
kept "the hook: hold" hand.json --policy ./answer.lua
for seed in 1 2; do
    kept "ocs-failures, seed $seed" "$root/scenarios/ocs-failures.json" --seed $seed --policy hold_if_near.lua --set generator.count=50
done

# A slice that loses light goes on: 100 s of work, 20 s a checkpoint of 2 s, circuits settle for 1 s; switch 32 (z) is
# dead from 30 to 80 s, and a second of work takes 150.070414/128 s. docs/failures.md goes through it.
cat >light.json <<'JSON'
{ "lightpath": 1, "cluster": { "fabric": "pod", "pod": { "cubes": 8, "settle": "1 s", "fault_tolerant": true } }, "queue": "fifo",
  "failures": { "trace": "30,switch,32,50" },
  "jobs": [ { "slice": "4x4x8", "duration": 100, "checkpoint": { "interval": 20, "cost": 2, "restart": 5 } },
            { "slice": "2x2x2", "duration": 100 } ] }
JSON
light() { # light NAME EXPRESSION OPTIONS...: k is the slowdown
    local name=$1 expression=$2
    shift 2
    holds "$name" "[$expression for near in [lambda x, y: abs(x - y) < 1e-5] for k in [150.070414 / 128]][0]" light.json "$@"
}
light "degraded: goes on at once, as fast as what is left allows" \
    'near(j[0]["end"], 115.765085) and near(held(0)["slow"], (13 + 20 + (80 - 30 - 13*k - 2 - 20*k - 2)/k)*(k - 1)) and held(0)["useful"] == 100 and
     held(0)["checkpoint"] == 8 and held(0)["settle"] == 1 and j[0]["stops"] == 0 and s["cross_connects"] == 96 and j[1]["end"] == 100'
light "degraded: a part of the time only" 'near(j[0]["end"], 41 + 39 + 100 - 39/(1 + .5*(k - 1)))' \
    --set 'jobs=[{"slice":"4x4x8","duration":100,"arrival":40,"communication_share":0.5}]'
light "degraded: one that starts without some light" 'near(j[0]["end"], 40 + 1 + 39 + 100 - 39/k) and near(held(0)["slow"], 39*(1 - 1/k)) and s["cross_connects"] == 94' \
    --set 'jobs=[{"slice":"4x4x8","duration":100,"arrival":40}]'
light "degraded: while it writes a checkpoint, which takes as long as ever" 'near(j[0]["end"], 109 + 19*(1 - 1/k)) and held(0)["checkpoint"] == 8 and near(held(0)["slow"], 19*(1 - 1/k))' \
    --set 'failures.trace="22,switch,32,20"' --set 'jobs=[{"slice":"4x4x8","duration":100,"checkpoint":{"interval":20,"cost":2}}]'
light "degraded: a cable costs its own slice" 'near(held(0)["slow"], 10*(1 - 128/146.687399542)) and held(1)["held"] == 101' --set 'failures.trace="30,cable,64,10"' \
    --set 'jobs=[{"slice":"4x4x8","duration":100},{"slice":"4x4x8","duration":100}]'
light "what falls apart stops" 'j[0]["stops"] == 1 and j[0]["end"] == 10 + 30 + 1 + 100 - 29 and s["waiting_by_cause"] == {"broken": 10}' \
    --set "failures.trace=\"$(for s in $(seq 32 47); do printf '30,switch,%d,10\\n' "$s"; done)\"" --set 'jobs=[{"slice":"4x4x8","duration":100}]'
light "not fault tolerant: it stops" 'j[0]["stops"] == 1 and j[0]["start"] == 0 and j[0]["end"] > 125' --set cluster.pod.fault_tolerant=false
light "on_failure answers for who was stopped" 'j[0]["stops"] == 0 and near(j[0]["end"], 115.765085)' --set on_failure=abort
cat >light.lua <<'LUA'
local policy = { name = "light", api = 1, params = { word = { default = "degraded" } } }
function policy:failure(job, what, cluster)
  assert(what.stops == false and what.links == 2 and math.abs(what.slowdown - 150.070414 / 128) < 1e-6 and what.name == "switch 32" and #what.cubes == 2)
  return self.p.word, "as told"
end
return policy
LUA
cat >spare.lua <<'LUA'
local policy = { name = "spare", api = 1 }
function policy:failure(job, what, cluster) return { "spare", cubes = { [0] = 5 } } end
return policy
LUA
light "the hook may let it go on" 'near(j[0]["end"], 115.765085)' --policy ./light.lua
light "the hook may stop it: hold" 'j[0]["stops"] == 1 and held(0)["stalled"] == 50 and held(0)["lost"] == 7 and held(0)["restart"] == 5' --policy ./light.lua --param word=hold
light "the hook may stop it: abort" 'j[0]["outcome"] == "aborted" and j[0]["end"] == 30' --policy ./light.lua --param word=abort
light "no cube helps where a switch is dead" 'near(j[0]["end"], 115.765085)' --policy ./light.lua --param word=spare
grep -q 'none of the cubes of job 0 is broken, a switch is' err
result $? "and the refusal says so"
light "a cube with a dead cable may give way" 'j[0]["stops"] == 1 and near(held(0)["lost"], 7) and "slow" not in held(0) and s["cross_connects"] == 96 + 64' \
    --set 'failures.trace="30,cable,64,50"' --policy ./spare.lua
light "a spare cube: circuits of a dead switch are not set" 'j[0]["cubes"] == [0, 2] and s["cross_connects"] == 96 + 64 - 2' \
    --set 'failures.trace="30,switch,32,50\n40,host,16,5"' --set 'jobs=[{"slice":"4x4x8","duration":100}]'
# A job with a graph: its step is simulated on what is left. Eight accelerators in a row along z share two
# collectives of three phases of seven hops; with the circuits of their row dead each hop takes two links more, 2 x 3 x 7 x 2 us a step.
# 18 s of work are left at 30 s but for what the step lasts longer than 2.25 s; a row beside it is as fast as ever.
cat >light-graph.json <<JSON
{ "lightpath": 1, "cluster": { "fabric": "pod", "pod": { "cubes": 8, "settle": "1 s", "fault_tolerant": true, "io_latency": 0 } }, "queue": "fifo",
  "graphs": [ { "id": "a", "file": "$root/scenarios/graphs/two-ops.txt", "format": "pipedream", "time_unit": "s" } ],
  "failures": { "trace": "30,switch,32,50" },
  "jobs": [ { "graph": "a", "steps": 20, "slice": "4x4x8", "checkpoint": { "interval": 20, "cost": 2, "restart": 5 } } ] }
JSON
printf 'local policy = { name = "deep", api = 1, params = { degree = { default = 8 } } }\nfunction policy:partition() return self.p.degree end\nreturn policy\n' >deep.lua
for at in 32 33; do
    holds "degraded: a job with a graph, switch $at" \
        "(lambda step: abs(step - 2.250060787395782) < 1e-12 and abs(j[0]['accounts']['slow'] - ($at == 32)*(20*step - 27)*84e-6/step) < 1e-9)(j[0]['step_time'])" \
        light-graph.json --policy ./deep.lua --set "failures.trace=\"30,switch,$at,50\""
done
holds "degraded: two accelerators of one cube lose nothing" 'held(0).get("slow") is None and j[0]["degree"] == 2' light-graph.json --policy ./deep.lua --param degree=2
holds "degraded: a job with a graph that starts so" 'abs(j[0]["accounts"]["slow"] - 20*84e-6) < 1e-9' light-graph.json --policy ./deep.lua --set 'failures.trace="0,switch,32,500"'
refused 'only slices of a pod with cluster.pod.fault_tolerant go on' light.json --set cluster.pod.fault_tolerant=false --set on_failure=degraded
refused 'generator.communication_share: what a graph sends is known' "$root/scenarios/ocs-failures.json" --set generator.communication_share=0.5

# By hand, any component, also where nothing breaks by itself. Host 19 breaks at 10 s: 9 s are lost, cube 6 stands in.
cat >by-hand.json <<'JSON'
{ "lightpath": 1, "cluster": { "fabric": "pod", "pod": { "cubes": 8, "settle": "1 s" } }, "queue": "fifo", "on_failure": "spare",
  "jobs": [ { "slice": "4x4x8", "duration": 100, "checkpoint": { "interval": 20, "cost": 2, "restart": 5 } },
            { "slice": "4x8x8", "duration": 100, "arrival": 10 } ] }
JSON
by_hand() { # by_hand NAME CHANGES EXPRESSION OPTIONS...: python about the jobs (j) of the run that was changed at 10 s
    local name=$1 changes=$2 expression=$3
    shift 3
    rm -f kept.session
    printf ':write kept.session\n:seek 10s\n%s\nn*400\n:back 2\nn*400\n:write\n' "$changes" >walk
    "$lightpath" by-hand.json "$@" --keys walk --size 100x30 --save-screen screen >out 2>err </dev/null &&
        "$lightpath" replay kept.session --verify --json >out 2>>err </dev/null && python3 - "$expression" <<'PY' 2>>err
import json, sys
j = json.load(open("out"))["branches"][-1]["run"]["jobs"]
if not eval(sys.argv[1]):
    sys.exit(str([(x["start"], x["end"], x["outcome"], x["stops"], x["cubes"], x["accounts"]) for x in j]))
PY
    result $? "$name"
}
by_hand "by hand: a host of a pod" ':change fail=host 19' \
    'j[0]["stops"] == 1 and j[0]["cubes"] == [0, 6] and j[0]["end"] == 124 and j[0]["accounts"]["lost"] == 9'
by_hand "by hand: a switch, mended before anybody waits" ':change fail=switch:32
:change repair=switch:32' 'j[0]["stops"] == 1 and j[1]["start"] == 10'
by_hand "by hand: a switch of a pod that goes on" ':change fail=switch:32' 'j[0]["stops"] == 0 and abs(j[0]["end"] - 9 - (10 + 91*150.070414/128 + 8 - 9)) < 1e-4' \
    --set cluster.pod.fault_tolerant=true

# --- the header of a trace: what the manual calls the fields; any other line is refused where it stands
header=time_s,kind,index,duration_s
trace_gives() { # trace_gives NAME FILE LINES: the same run as without a header
    printf "$3" >"$2"
    "$lightpath" run hand.json --hash --set 'failures={"trace":"10,server,0,30"}' >want 2>err </dev/null
    "$lightpath" run hand.json --hash --set "failures={\"trace\":\"$2\"}" >out 2>err </dev/null && cmp -s out want
    result $? "$1"
}
trace_gives "a header is read" headed.csv "$header\n10,server,0,30\n"
trace_gives "behind a remark, with blanks and ends of lines of Windows" headed.csv "# faults\r\n\r\n time_s, kind , index, duration_s\r\n10, server, 0, 30\r\n"
trace_gives "none is needed" headed.csv "10,server,0,30"
printf 'time_s,server,index,duration_s\n10,server,0,30\n' >wrong.csv
refused "wrong.csv:1:1: found time_s,server,index,duration_s: expected $header such as 60,host,19,140" hand.json --set 'failures={"trace":"wrong.csv"}'
printf '# x\n10,server,0,30\n%s\n' "$header" >wrong.csv
refused "wrong.csv:3:1: found $header: expected $header such as" hand.json --set 'failures={"trace":"wrong.csv"}'
printf '10,server,0,30\n\n10,rack,0,30\n' >wrong.csv
refused "wrong.csv:3:1: found 10,rack,0,30: expected a kind: server or circuit" hand.json --set 'failures={"trace":"wrong.csv"}'
refused 'failures.trace: line 2 of the trace is x,server,0,1: expected' hand.json --set "failures.trace=\"$header\\nx,server,0,1\""

refused 'failures.host: the fabric ideal has none: expected server or circuit' hand.json --set 'failures={"host":{"fails":1,"repair":1}}'
refused 'line 1 of the trace is 1,link,0,1: expected a kind: server or circuit' hand.json --set 'failures.trace="1,link,0,1"'
refused 'jobs with a duration have one size on the fabric ideal' hand.json --set on_failure=shrink
refused 'jobs[0].checkpoint: on the fabric packet the pace of a job with a graph changes' graph.json --set "$packet" \
    --set 'failures={}' --set 'jobs=[{"graph":"a","checkpoint":{"interval":5}}]'
refused 'how many servers a job with a graph gets is not known' graph.json --set 'failures={}' --set 'jobs=[{"graph":"a","checkpoint":{"interval":"young","cost":1}}]'
refused 'nothing breaks under the published rule' "$root/scenarios/published-32.json" --set 'failures={"server":{"fails":1,"repair":1}}'
refused 'would have a clock of their own: expected at most 1048576, or a trace' hand.json --set cluster.ideal.servers=2000 \
    --set 'failures={"circuit":{"fails":1,"repair":1}}'
exit $failed

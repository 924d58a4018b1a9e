#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Slices of pods in runs, from outside: an example by hand event by event, exact blocking of a loss
# system, and every refusal. Needs $LIGHTPATH, the program, and python3; without it: skipped.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v python3 >/dev/null || { echo "skip python3 is missing" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-pod-runs.XXXXXX") || exit 1
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
at = lambda i: (j[i]["start"], j[i]["end"], j[i].get("cubes"))
held = lambda i: {k: v for k, v in j[i]["accounts"].items() if v}
adds = lambda a: abs(sum(v for k, v in a.items() if k != "held") - a["held"]) < 1e-6 * max(1, a["held"])
good = lambda expression: eval(expression)
told = lambda: "at: %s\nsummary: %s" % ([at(i) for i in range(min(4, len(j)))], s)
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
# holds NAME EXPRESSION RUN...: python about the run's jobs (j) and summary (s); the run may end with
# 1, which says that nothing of what the policy answered could be done
holds() {
    local name=$1 expression=$2
    shift 2
    "$lightpath" run "$@" --json >out 2>err </dev/null
    [ $? -le 1 ] && asked "$expression"
    result $? "$name"
}
refused() { # refused WORDS RUN...
    local words=$1
    shift
    "$lightpath" run "$@" >out 2>err </dev/null
    [ $? -eq 2 ] && grep -qF -- "$words" err
    result $? "refused: $words"
}

cat >example.json <<'JSON'
{ "lightpath": 1, "queue": "fifo",
  "cluster": { "fabric": "pod", "pod": { "cubes": 8, "settle": "1 s" } },
  "jobs": [ { "slice": "4x4x8", "duration": "100 s" },
            { "slice": "8x4x8 twisted", "duration": "200 s", "arrival": "10 s" },
            { "slice": "4x4x12", "duration": "50 s", "arrival": "20 s" } ] }
JSON
static=cluster.pod.wiring=static

holds "example: who runs where and when" \
    'at(0) == (0, 101, [0, 1]) and at(1) == (10, 211, [2, 3, 4, 5]) and at(2) == (101, 152, [0, 1, 6])' example.json
"$lightpath" run example.json >out 2>err </dev/null && sed -n '/^slices/,/^hash/p' out | sed '$d' | diff - <(cat <<'TXT'
slices      held 68.7 % of the pod's time, usefully 68.1 %; 432 circuits set
held time   useful 99.2 %, settling 0.8 %
waited for  resource 100.0 %
TXT
) >>err
result $? "example: as text"
"$lightpath" run example.json --csv >out 2>err </dev/null && python3 - <<'PY' 2>>err
import csv, sys
rows = list(csv.DictReader(open("out")))
ok = [r["slice"] for r in rows] == ["4x4x8", "4x8x8 twisted", "4x4x12"] and float(rows[2]["waited_resource"]) == 81
parts = ["useful", "lost", "checkpoint", "restart", "settle"]
ok = ok and all(abs(sum(float(r[p]) for p in parts) - float(r["held"])) < 1e-9 and r["stops"] == "0" for r in rows)
sys.exit(0 if ok else str(rows))
PY
result $? "example: as CSV"
holds "example: what was waited for" 's["waiting_by_cause"] == {"resource": 81} and j[2]["waited"] == {"resource": 81}' example.json
holds "example: circuits" 's["cross_connects"] == 96 + 192 + 144' example.json
holds "example: accounts" 'held(0) == {"useful": 100, "settle": 1, "held": 101} and adds(s["accounts"])' example.json
holds "example, static: places and no settling" \
    'at(0) == (0, 100, [0, 4]) and at(1) == (10, 210, [1, 3, 5, 7]) and s["cross_connects"] == 0' example.json --set $static
holds "example, static: blocked for ever" \
    'j[2]["cause"] == "shape" and "no box of the grid of 2x2x2" in j[2]["why"]' example.json --set $static
holds "example, loss: blocked at arrival" \
    'j[2]["cause"] == "resource" and "192 accelerators, 128 are not held" in j[2]["why"]' example.json --set queue=loss
holds "the queue keeps the order of arrival" \
    'j[2]["start"] == 101 and j[3]["start"] == 101 and j[3]["waited"] == {"behind": 71}' example.json \
    --set 'jobs=[{"slice":"4x4x8","duration":"100 s"},{"slice":"4x8x8","duration":"200 s","arrival":"10 s"},{"slice":"4x4x12","duration":"50 s","arrival":"20 s"},{"slice":"4x4x4","duration":"5 s","arrival":"30 s"}]'
holds "a queue of limited length" 'j[3]["cause"] == "queue_full"' example.json --set queue_capacity=1 \
    --set 'jobs=[{"slice":"4x8x16","duration":"9 s"},{"slice":"8x8x8","duration":"2 s"},{"slice":"4x4x12","duration":"5 s"},{"slice":"4x4x4","duration":"5 s"}]' \
    2>/dev/null
holds "spares are kept from whole cubes, not from parts" \
    'j[0]["cause"] == "resource" and j[1]["end"] == 5 and j[1]["cubes"] == [0]' example.json --set queue=loss --set cluster.pod.spares=1 \
    --set 'jobs=[{"slice":"8x8x8","duration":"1 s"},{"slice":"2x2x2","duration":"5 s"}]'
holds "so many accelerators are a shape" \
    '[x["slice"] for x in j] == ["4x4x8 twisted", "1x2x2", "4x4x12"]' example.json \
    --set 'jobs=[{"servers":128,"duration":"1 s"},{"servers":4,"duration":"5 s"},{"servers":192,"duration":"5 s"}]'
holds "a preset settles" 'j[0]["end"] > 100 and j[0]["end"] < 101' example.json --set cluster.pod.settle=mems
holds "spread over domains" 'j[0]["cubes"] == [0, 2]' example.json --set cluster.pod.order=spread --set cluster.pod.cubes_per_domain=2

# Whole cubes of the sample on 64 cubes at load .7, nothing broken: Kaufman-Roberts is exact; batch
# means of 20 batches, three standard errors.
"$lightpath" pods mix --json >mix 2>err
python3 - "$root/scenarios/pod-64.json" <<'PY' >loss.json
import json, sys
d = json.load(open(sys.argv[1]))
mix = [r for r in json.load(open("mix"))["rows"] if all(int(e) % 4 == 0 for e in r["slice"].split()[0].split("x"))]
d["generator"].update(count=24000, slices=[{"slice": r["slice"], "weight": r["percent"]} for r in mix])
print(json.dumps(d))
PY
"$lightpath" run loss.json --json >out 2>err && python3 - <<'PY' 2>>err
import json, math, sys
exact = {1: .0142, 2: .0248, 4: .0515, 8: .1092, 16: .2103, 32: .3526, 48: .6400, "all": .1178}
jobs = json.load(open("out"))["jobs"]
cubes = {s: math.prod(map(int, s.split()[0].split("x"))) // 64 for s in {x["slice"] for x in jobs}}
jobs = [(cubes[x["slice"]], x["outcome"] == "blocked") for x in jobs]
for k, p in exact.items():
    means = []
    for b in range(20):
        batch = [blocked for size, blocked in jobs[b * 1200:(b + 1) * 1200] if k in ("all", size)]
        if batch:
            means.append(sum(batch) / len(batch))
    mean = sum(means) / len(means)
    error = math.sqrt(sum((m - mean) ** 2 for m in means) / len(means) / (len(means) - 1))
    if abs(mean - p) > 4 * error + 1e-4:
        sys.exit("%s cubes: blocked %.4f +- %.4f, exactly %.4f" % (k, mean, error, p))
PY
result $? "blocking of every class as Kaufman and Roberts say"
"$lightpath" run loss.json --set generator.count=6000 --json >out 2>err
"$lightpath" run loss.json --set generator.count=6000 --json | cmp - out >>err 2>&1
result $? "the same bytes again"

printf 'n*3\n:fork degree=8\n' >fork
"$lightpath" example.json --keys fork --size 80x24 --save-screen screen >out 2>err </dev/null
[ $? -ne 0 ] && grep -qF 'degree=8: job 2 is not cut, it asks for a slice of 4x4x12' err
result $? "a fork by degree of a job that is not cut says why not"
"$lightpath" whatif example.json >out 2>err </dev/null && grep -q '^> start  *100 s' out
result $? "whatif: a slice starts, it is not cut in 0 ways"

# ---- failures ----

cat >broken.json <<'JSON'
{ "lightpath": 1, "queue": "fifo",
  "cluster": { "fabric": "pod", "pod": { "cubes": 8, "settle": "1 s" } },
  "failures": { "trace": "# host 3 of cube 1\n60,host,19,140\n" },
  "jobs": [ { "slice": "4x4x8", "duration": "100 s", "checkpoint": { "interval": "20 s", "cost": "2 s", "restart": "5 s" } },
            { "slice": "4x8x8 twisted", "duration": "200 s", "arrival": "10 s", "checkpoint": { "interval": "20 s", "cost": "2 s", "restart": "5 s" } },
            { "slice": "4x4x12", "duration": "50 s", "arrival": "20 s", "checkpoint": { "interval": "20 s", "cost": "2 s", "restart": "5 s" } } ] }
JSON
holds "spare: who runs where and when" \
    'at(0) == (0, 130, [0, 6]) and at(1) == (10, 229, [2, 3, 4, 5]) and at(2) == (130, 185, [0, 6, 7])' broken.json
holds "spare: accounts of the stopped job" \
    'held(0) == {"useful": 100, "lost": 15, "checkpoint": 8, "restart": 5, "settle": 2, "held": 130}' broken.json
holds "spare: circuits, held, waiting" \
    's["cross_connects"] == 496 and s["accounts"]["held"] == 83264 and j[2]["waited"] == {"resource": 110}' broken.json
holds "had it not failed" \
    'at(0) == (0, 109, [0, 1]) and at(2) == (109, 164, [0, 1, 6]) and at(1)[1] == 229 and s["cross_connects"] == 432' broken.json --set 'failures={}'
holds "abort" 'j[0]["outcome"] == "aborted" and s["aborted"] == 1 and at(2) == (60, 115, [0, 6, 7]) and held(0)["lost"] == 55' \
    broken.json --set on_failure=abort
holds "requeue: gives all up, and takes the lowest again" 'at(0) == (0, 130, [0, 6]) and s["cross_connects"] == 96 + 192 + 144 + 96' \
    broken.json --set on_failure=requeue
holds "static: stops, resumes elsewhere without settling" \
    'at(0) == (0, 108, [0, 4]) and at(1) == (10, 239, [2, 3, 6, 7]) and held(1) == {"useful": 200, "lost": 6, "checkpoint": 18, "restart": 5, "held": 229}' \
    broken.json --set $static
holds "a dead switch stops whole cubes and lets parts run" \
    'j[0]["stops"] == 1 and j[1]["stops"] == 0 and j[1]["end"] == 50 and j[0]["start"] == 0 and j[0]["end"] == 11 + 20 + 1 + 90 and j[0]["waited"] == {"broken": 20}' \
    broken.json --set 'failures={"trace":"11,switch,32,20"}' --set 'jobs=[{"slice":"4x4x8","duration":"100 s"},{"slice":"2x2x2","duration":"50 s"}]'
holds "a dead cable stops the slice on its cube" \
    'j[0]["stops"] == 1 and j[1]["stops"] == 0 and j[0]["cubes"] == [0, 4]' \
    broken.json --set 'failures={"trace":"11,cable,96,20"}' --set 'jobs=[{"slice":"4x4x8","duration":"100 s"},{"slice":"4x4x8","duration":"50 s"}]'
holds "blocked by what is broken" 'j[0]["cause"] == "broken"' broken.json --set queue=loss \
    --set 'failures={"trace":"1,cube,3,20"}' --set 'jobs=[{"slice":"8x8x8","duration":"1 s","arrival":"2 s"}]'
holds "capacity by simulated failures as by formula" \
    'all(abs(c["switched"] - e) < .002 for c, e in zip(s["capacity"], (.7474, .5, .7420))) and all(abs(c["static"] - e) < .004 for c, e in zip(s["capacity"], (.0763, .0058, .0003))) and [c["switched"] for c in s["promised"]] == [.75, .5, .75]' \
    broken.json --set cluster.pod.cubes=64 --set 'horizon=40000 d' --set 'jobs=[{"slice":"8x8x16","duration":1},{"slice":"8x16x16","duration":1,"arrival":"20000 d"},{"slice":"12x16x16","duration":1,"arrival":"39999 d"}]' \
    --set 'failures={"host":{"fails":{"exponential":{"mean":"99 d"}},"repair":{"exponential":{"mean":"1 d"}}}}'
for how in spare requeue abort; do
    holds "accounts add up: $how" \
        'all(adds(x["accounts"]) for x in j) and s["stops"] > 0 and all(abs(x["wait"] + x["accounts"]["held"] - x["end"] + x["arrival"]) < 1e-6 * x["end"] + 1e-6 and abs(x["accounts"]["useful"] - x["sequential_jct"]) < 1e-6 * x["sequential_jct"] for x in j if x["outcome"] == "completed")' \
        "$root/scenarios/pod-failures.json" --set generator.count=600 --set on_failure=$how
done
# Daly's interval of 60 s a checkpoint and a failure in 7 200 s is 889.9463 s: a job that is shorter makes none.
interval() { # interval NAME FAILURES SLICE SET...
    local what="\"checkpoint\":{\"interval\":\"daly\",\"cost\":60}"
    holds "Daly's interval: $1" '[x["accounts"]["checkpoint"] for x in j] == [0, 60] and s["stops"] == 0' broken.json --set "failures=$2" "${@:4}" \
        --set "jobs=[{\"slice\":\"$3\",\"duration\":889.946,\"arrival\":1,$what},{\"slice\":\"$3\",\"duration\":889.947,\"arrival\":1,$what}]"
}
interval "hosts" '{"host":{"fails":{"exponential":{"mean":230400}},"repair":1}}' 4x4x8 --seed 4
interval "two kinds, all of domains" '{"domain":{"fails":{"exponential":{"mean":14400}},"repair":1},"cube":{"fails":{"exponential":{"mean":14400}},"repair":1}}' \
    4x4x4 --seed 7 --set cluster.pod.cubes_per_domain=2 --set cluster.pod.cubes=2
interval "the mean of a Weibull time is scale Gamma(1 + 1/shape)" '{"host":{"fails":{"weibull":{"scale":129989.28004940304,"shape":2}},"repair":1}}' 4x4x4
interval "the median of a lognormal time is no mean" '{"host":{"fails":{"lognormal":{"median":69872.33199889537,"sigma":1}},"repair":1}}' 4x4x4 --set cluster.pod.cubes=2
interval "hosts that a part lies on" '{"host":{"fails":{"exponential":{"mean":14400}},"repair":1}}' 1x1x4 --set cluster.pod.cubes=1
interval "switches and cables stop a slice" '{"switch":{"fails":{"exponential":{"mean":691200}},"repair":1},"cable":{"fails":{"exponential":{"mean":1382400}},"repair":1}}' \
    4x4x4 --set cluster.pod.cubes=2
interval "but not where it goes on without them" '{"switch":{"fails":{"exponential":{"mean":691200}},"repair":1},"host":{"fails":{"exponential":{"mean":115200}},"repair":1}}' \
    4x4x4 --set cluster.pod.fault_tolerant=true --set cluster.pod.cubes=2
refused 'line 2 of the trace is 60,hosts,1,2: expected a kind' broken.json --set 'failures.trace="1,host,1,2\n60,hosts,1,2"'
refused 'expected a host from 0 to 127' broken.json --set 'failures.trace="60,host,128,2"'
refused 'expected time_s,kind,index,duration_s' broken.json --set 'failures.trace="60,host"'
refused 'expected a kind: domain, cube, host or accelerator' broken.json --set 'failures.trace="60,switch,1,2"' --set $static
refused 'failures.switch: static wiring has none' broken.json --set 'failures={"switch":{"fails":1,"repair":1}}' --set $static
refused 'the key "repair" is missing' broken.json --set 'failures={"host":{"fails":1}}'
refused 'the interval follows from the cost, which is 0' broken.json --set 'jobs=[{"slice":"4x4x4","duration":1,"checkpoint":{"interval":"daly"}}]'
refused 'failures.host: the fabric ramp has none: expected server or circuit' "$root/scenarios/rigid.json" --set 'failures={"preset":"nsdi24"}'
refused 'a generator has both "graphs" and "slices", expected one of them' "$root/scenarios/pod-64.json" \
    --set 'graphs=[{"id":"a","zoo":"alexnet"}]' --set 'generator.graphs=["a"]'
refused 'slice 3x4x4: expected three multiples of 4' example.json --set 'jobs=[{"slice":"3x4x4","duration":1}]'
refused '3 accelerators: no slice has so many' example.json --set 'jobs=[{"servers":3,"duration":1}]'
refused 'a job has both "graph" and "duration"' example.json --set 'graphs=[{"id":"a","zoo":"alexnet"}]' --set 'jobs=[{"graph":"a","slice":"4x4x4","duration":1}]'
refused 'cluster.pod.spares is 8: expected less than the 8 cubes' example.json --set cluster.pod.spares=8
refused 'with static wiring no cube can stand in' example.json --set cluster.pod.spares=1 --set $static
refused 'cluster.pod.host is 3x2x1: expected divisors' example.json --set 'cluster.pod.host=[3,2,1]'
refused '"host" has 2 numbers, expected 3' example.json --set 'cluster.pod.host=[3,2]'
refused 'that is 7 cubes, expected 8' example.json --set 'cluster.pod.grid=[1,1,7]'
refused 'expected at least 16 ports' example.json --set cluster.pod.ports=15
refused 'the published rule of the option' example.json --set semantics=published
refused 'which has no slices' example.json --set cluster.fabric=ideal --set queue=loss
refused 'expected the fabric pod, or no queue' "$root/scenarios/rigid.json" --set queue=fifo
refused 'generator.slices: the weights add up to 0' loss.json --set 'generator.slices=[{"slice":"4x4x4","weight":0}]'
refused 'generator.duration is missing' loss.json --set 'generator={"count":1,"slices":"table2","load":0.5}'
refused 'generator.slices is missing' loss.json --set 'generator={"count":1,"load":0.5,"duration":1}'
refused "a job of the fabric pod runs on a slice" example.json --set 'graphs=[{"id":"a","zoo":"alexnet"}]' --set 'jobs=[{"graph":"a"}]'

# ---- jobs with graphs ----

cat >graphs.json <<'JSON'
{ "lightpath": 1, "queue": "fifo", "graphs": [ { "id": "a", "zoo": "alexnet" } ],
  "cluster": { "fabric": "pod", "pod": { "cubes": 8, "settle": "1 s" } },
  "partition": { "max_degree": 16, "kind": "model" },
  "jobs": [ { "graph": "a", "steps": 1000, "slice": "4x4x8",
              "checkpoint": { "interval": "20 s", "cost": "2 s", "restart": "5 s" } },
            { "graph": "a", "steps": 1000, "slice": "2x2x4" } ] }
JSON
echo 10,host,3,140 >host.csv
deep=max_parallelism
holds 'a graph on a slice holds all of it, settles, and works for its steps' \
    'len(j[0]["servers"]) == 128 and j[0]["cubes"] == [0, 1] and abs(j[0]["accounts"]["useful"] - 1000 * j[0]["step_time"]) < 1e-9 and held(0)["settle"] == 1 and adds(j[0]["accounts"]) and adds(j[1]["accounts"]) and s["cross_connects"] == 96' graphs.json --policy $deep
holds 'a failure costs what was not saved; the job goes on, cut as before' \
    'j[0]["stops"] == 1 and j[0]["cubes"] == [3, 1] and j[0]["partition_degree"] == 16 and held(0)["lost"] == 9 and held(0)["restart"] == 5 and abs(j[0]["end"] - (10 + 1 + 5 + 2 + 1000 * j[0]["step_time"])) < 1e-9 and adds(j[0]["accounts"])' graphs.json --policy $deep --set 'failures={"trace":"host.csv"}'
"$lightpath" run graphs.json --policy $deep --json >concurrent.json 2>err </dev/null
holds 'how collectives go, and the shape of the slice, are felt in a step' \
    'all(j[i]["step_time"] > json.load(open("concurrent.json"))["jobs"][i]["step_time"] for i in (0, 1)) and j[0]["step_time"] < j[1]["step_time"]' \
    graphs.json --policy $deep --set cluster.pod.collective=sequential
holds 'static: a dimension is a ring where the box that the slice got spans the grid' \
    'j[0]["cubes"] == [0, 3] and j[1]["cubes"] == [0, 1] and j[1]["step_time"] > 1.1 * j[0]["step_time"]' graphs.json --policy $deep \
    --set cluster.pod.cubes=6 --set 'cluster.pod.grid=[1,2,3]' --set $static --set partition.max_degree=64 \
    --set 'failures={"trace":"0.5,cube,3,99\n0.5,cube,4,99\n0.5,cube,5,99"}' \
    --set 'jobs=[{"graph":"a","steps":10,"slice":"4x4x8"},{"graph":"a","steps":10,"slice":"4x4x8","arrival":"1 s"}]'
holds 'more parts than the slice has accelerators: refused' \
    'j[0]["outcome"] == "blocked" and j[0]["cause"] == "refused"' graphs.json --policy $deep --set 'jobs=[{"graph":"a","slice":"2x2x2"}]'
exit $failed

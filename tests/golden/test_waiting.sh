#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Waiting in run --json: cases worked out by hand, and those of a model that knows nothing of this
# program, where its results are at hand. Needs $LIGHTPATH, the program, and python3.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v python3 >/dev/null || { echo "skip waiting: python3 is missing" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-waiting.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok waiting: $2"
    else
        sed 's/^/  /' err | head -n 12
        echo "not ok waiting: $2"
        failed=1
    fi
}
# queue SERVERS POLICY [KEY VALUE]... JOBS: a scenario of rigid jobs "SERVERS DURATION ARRIVAL [KEY VALUE]", one a line
queue() {
    python3 - "$@" <<'PY'
import json, sys
servers, policy, *more, jobs = sys.argv[1:]
s = {"lightpath": 1, "queue_capacity": 99, "policy": {"script": policy},
     "cluster": {"fabric": "ideal", "ideal": {"servers": int(servers)}}, "jobs": []}
s.update({k: json.loads(v) for k, v in zip(more[::2], more[1::2])})
for line in jobs.strip().splitlines():
    n, d, a, *rest = line.split()
    s["jobs"].append({"servers": int(n), "duration": float(d), "arrival": float(a), **{k: json.loads(v) for k, v in zip(rest[::2], rest[1::2])}})
json.dump(s, open("scenario.json", "w"))
PY
}
# expect NAME [OPTION]... PATH=VALUE...: of the results of scenario.json, to 1e-9; `jobs.1.wait`
expect() {
    local name=$1 options=()
    shift
    while [ "${1#--}" != "$1" ]; do options+=("$1") && shift; done
    "$lightpath" run scenario.json --json "${options[@]+"${options[@]}"}" >out 2>err </dev/null && python3 - "$@" <<'PY' 2>>err
import json, sys
out, wrong = json.load(open("out")), []
for path, _, want in (a.partition("=") for a in sys.argv[1:]):
    at, want = out, json.loads(want)
    for key in path.split("."):
        at = at[int(key)] if isinstance(at, list) else at.get(key, "no such key") if isinstance(at, dict) else "no such key"
    number = lambda x: isinstance(x, (int, float)) and not isinstance(x, bool)
    if not (abs(at - want) <= 1e-9 * max(1, abs(want)) if number(at) and number(want) else at == want):
        wrong.append("%s is %r, expected %r" % (path, at, want))
sys.exit("\n".join(wrong) or 0)
PY
    result $? "$name"
}

# ---- what waits at the end ----
# 2 servers until 30: job 0 has both until 20, job 1 then both; job 2 waits from 5 on
queue 2 strict_fifo.lua horizon 30 "
2 20 0
2 50 1
1 10 5"
expect "a job that waits at the horizon has waited" \
    jobs.0.wait=0 jobs.1.wait=19 jobs.2.wait=25 jobs.2.start=null jobs.2.account.wait=25 jobs.1.account.computing=10 summary.mean_wait=9.5
# srpt: job 1 (1 x 2 s) stops job 0 at 3, which waits for its server until the horizon at 4
queue 1 srpt.lua horizon 4 "
1 20 0
1 2 3"
expect "so has one that was put aside" jobs.0.wait=1 jobs.0.account.preempted=1 jobs.0.account.computing=3 summary.mean_wait=0.5
# nobody is offered twice, and nobody starts but job 0
queue 1 strict_fifo.lua horizon 4 "
1 20 0
1 2 3"
expect "mean_wait is known where somebody waits at the end" summary.mean_wait=0 jobs.1.wait=1
queue 1 strict_fifo.lua queue_capacity 1 "
1 20 0
1 2 3
1 2 4"
expect "who is turned away on arrival has no wait" jobs.2.outcome='"blocked"' jobs.2.wait=null jobs.1.wait=17

# ---- what happens at one instant ----
# jobs 0 and 2 (1 and 6 of 8 servers) both end at 5: neither is to be stopped for job 1, which needs all
queue 8 las_preempt.lua policy '{"script": "las_preempt.lua", "params": {"first": 10, "second": 23, "third": 79}}' "
1 4 1
8 .5 2
6 2 3"
expect "nobody is stopped at the instant at which he ends" \
    jobs.0.end=5 jobs.2.end=5 jobs.2.preemptions=0 jobs.1.start=5 jobs.1.end=5.5
# a policy hears of both ends and of the time that it asked for after the last of them: each time one job runs
cat >ends.lua <<'LUA'
local policy = { name = "ends", api = 1 }
function policy:review(event, cluster)
  if cluster.now == 0 then return { { "wake", at = 5 } } end
  local told = self.mem.told or ""
  self.mem.told = told .. event.kind .. ":" .. #cluster.running .. " "
  if event.kind == "start" then error(self.mem.told) end
end
return policy
LUA
queue 8 ends.lua "
1 5 0
2 5 0
4 9 0
1 1 6"
"$lightpath" run scenario.json --json >out 2>err </dev/null
python3 -c '
import json
text = str(json.load(open("out"))["policy_errors"][0])
assert "completion:1 completion:1 wake:1 wake:1 wake:1 start:2" in text, text' 2>>err
result $? "what happens at an instant is reviewed after all ends of it"
# a job of 4 that may end by 21 at the latest stands before a job of 1
queue 4 strict_fifo.lua "
2 100 0
4 20 1 max_jct_fraction 1
1 10 2"
expect "who stood behind a job that reaches its deadline is offered then" \
    jobs.1.outcome='"blocked"' jobs.1.wait=20 jobs.2.start=21 jobs.2.wait=19

# ---- measures ----
# job 0 holds both servers until 20, job 1 one until 30, job 2 both until 35; waits 0, 15 and 24
three="
2 20 0
1 10 5
2 5 6"
queue 2 strict_fifo.lua "$three"
expect "waits" jobs.1.first_wait=15 jobs.2.wait=24 summary.mean_wait=13 summary.p50_wait=15 summary.p95_wait=24 summary.max_wait=24 \
    summary.mean_wait_all=13 summary.still_waiting=0 summary.oldest_waiting=null summary.longest_jct=29 summary.makespan=35 summary.end=35
expect "the queue: 39 s over 35 s, two that ask for 3 servers from 6 on" summary.mean_queue=1.1142857142857143 \
    summary.queue_peak='{"waiting": 2, "servers": 3, "time": 6}'
# jobs of 20, 10 and 5 s, the last as if it took 10: 20 / 20, 25 / 10, 29 / 10
expect "bounded slowdown" jobs.0.slowdown=1 jobs.1.slowdown=2.5 jobs.2.slowdown=2.9 summary.mean_slowdown=2.1333333333333333 \
    summary.p95_slowdown=2.9 summary.jain_slowdown=0.8718603661132396
expect "slowdown without a bound" --tau=0 jobs.2.slowdown=5.8
# 49, 64 and 67 jobs x s in the system while they were: 2.45, 2.56 and 67 / 29 jobs on average
expect "finish-time fairness of rigid jobs" jobs.0.rho=0.40816326530612246 jobs.1.rho=1.953125 jobs.2.rho=2.510447761194030 \
    summary.max_rho=2.510447761194030 summary.unfair=0.6666666666666666
expect "allocation: 60 of 70 server-seconds" summary.allocation=0.8571428571428571 summary.goodput=0.8571428571428571 jobs.2.held=5
expect "the worst moments" worst.remaining='{"time": 6, "seconds": 38, "waiting": 2}' worst.queue='{"time": 6, "waiting": 2, "servers": 3}' \
    worst.longest='{"time": 30, "job": 2, "seconds": 24}'
# jobs 0 and 2 have a server each until 10 and 22; job 1, which came between them, needs both
queue 2 fit_first.lua "
1 10 0
2 5 1
1 20 2"
expect "a later job that starts first overtakes" jobs.0.overtaken=0 jobs.1.overtaken=1 jobs.2.overtaken=0 summary.overtakings=1 \
    summary.max_overtaken=1 summary.most_overtaken=1
expect "so it does one that never starts" --until=15 jobs.1.overtaken=1 jobs.1.first_wait=null summary.still_waiting=1 summary.oldest_waiting=14 \
    summary.mean_wait=0 summary.mean_wait_all=4.666666666666667 summary.makespan=null summary.mean_slowdown=1 \
    worst.longest='{"time": 15, "job": 1, "seconds": 14}'
# job 0 is put aside from 3 to 5 and from 8 to 10: two spells of one job
queue 1 srpt.lua "
1 20 0
1 2 3
1 2 8"
expect "spells after a start" jobs.0.wait=4 jobs.0.first_wait=0 jobs.0.overtaken=0 summary.mean_queue=0.16666666666666666 \
    worst.longest='{"time": 5, "job": 0, "seconds": 2}'
queue 1 strict_fifo.lua "
1 2 0
1 2 5"
expect "nobody waits" worst=null summary.mean_wait=null summary.max_wait_all=null summary.overtakings=0 summary.most_overtaken=null \
    summary.mean_slowdown=1 summary.queue_peak='{"waiting": 0, "servers": 0, "time": null}'
# a job that is split both ways, alone in the cluster, has its share: all of it; unsplit it takes longer than with its share
cp -R "$root/scenarios/graphs" . && cp "$root/scenarios/two-servers.json" scenario.json
expect "finish-time fairness of jobs that are split" jobs.1.rho=1 jobs.0.rho=1.8944904277828247

# ---- when it was worst ----
queue 2 strict_fifo.lua open '"worst"' "$three"
"$lightpath" run scenario.json --worst 2>err </dev/null | diff - <(cat <<'TXT'
worst       remaining  6 s   2 wait, 38 s more in all   lightpath scenario.json --at worst
            queue      6 s   2 wait for 3 servers   lightpath scenario.json --at "worst queue"
            longest    30 s   job 2 starts after 24 s   lightpath scenario.json --at "worst longest"
TXT
) >>err
result $? "run --worst names the moments and what opens them"
[ "$("$lightpath" run scenario.json --worst=longest 2>err </dev/null)" = \
    'worst       longest    30 s   job 2 starts after 24 s   lightpath scenario.json --at "worst longest"' ]
result $? "or one of them"
"$lightpath" run scenario.json --worst=deepest >out 2>err </dev/null
[ $? -eq 2 ] && grep -q "expected remaining, queue or longest" err
result $? "a word that there is not"
# opens TIME [OPTION]...: the explorer begins there
opens() {
    local time=$1
    shift
    "$lightpath" scenario.json "$@" --no-autosave --save-screen - 2>err </dev/null | head -n 1 | grep -q " t $time s "
}
opens 6.000 && opens 30.000 --at "worst longest" && opens 0.000 --at d0
result $? "the explorer opens there"
printf 'worst longest\nexpect t 30\nworst\nexpect t 6\nseek worst queue\nexpect t 6\n' >keys
"$lightpath" scenario.json --keys keys --no-autosave >out 2>err </dev/null
result $? "and goes there"
queue 2 strict_fifo.lua open '"worse"' "$three"
"$lightpath" run scenario.json >out 2>err </dev/null
[ $? -eq 2 ] && grep -q 'scenario.json:1:[0-9]*: "open" is "worse"\|expected first, worst' err
result $? "an opening that is none is refused"
queue 2 strict_fifo.lua open '"worst"' "
1 2 0"
opens 0.000
result $? "where nobody waits it is the beginning"

# ---- as text ----
queue 2 fit_first.lua horizon 15 "
1 10 0
2 5 1
1 20 2"
"$lightpath" run scenario.json >out 2>err </dev/null
grep -E '^(jobs|wait|  |overtaken|queue|slowdown)' out | diff - <(cat <<'TXT'
jobs        3 arrived: 1 completed, 0 blocked (0.0 %), 2 unfinished, of which 1 never started
wait        mean 0 s, median 0 s, 95 % within 0 s, 99 % within 0 s, longest 0 s (jobs that started)
            with the 1 that waits still: mean 4.67 s, longest 14 s so far; 14 s now: job 1
overtaken   most often job 1: 1 later job started before it; 1 overtaking in all
queue       mean 0.933 jobs, most 1 (2 servers) at 1 s
slowdown    mean 1, 95 % within 1, largest 1 (bounded: jobs count as at least 10 s); Jain's index 1.00
TXT
) >>err
result $? "the summary says who waits"

# ---- the results of another model ----
goldens=$root/../shared/goldens/queue
if ! ls "$goldens"/*.expected.json >/dev/null 2>&1; then
    echo "skip waiting: the results of another model are not at hand"
    exit $failed
fi
python3 - "$lightpath" "$goldens" <<'PY' 2>err
# What a scenario needs that is not there is skipped; times of clocks that begin far from 0 count from 0.
import glob, json, subprocess, sys
lightpath, folder = sys.argv[1:]
def near(a, b, tolerance):
    if isinstance(a, dict) and isinstance(b, dict):
        return set(a) == set(b) and all(near(a[k], b[k], tolerance) for k in a)
    number = lambda x: isinstance(x, (int, float)) and not isinstance(x, bool)
    return abs(a - b) <= tolerance * max(1, abs(a)) if number(a) and number(b) else a == b
wrong, numbers, skipped = [], 0, []
for name in sorted(glob.glob(folder + "/[0-9]*.expected.json")):
    want, scenario = json.load(open(name)), name.replace(".expected", "")
    ran = subprocess.run([lightpath, "run", scenario, "--json"], capture_output=True, text=True)
    if ran.returncode or "unix-times" in name:
        skipped.append(name)
        continue
    got = json.loads(ran.stdout)
    window = got["summary"].get("window") or {}
    got["summary"].update(window_from=window.get("from"), window_until=window.get("until"))
    tolerance = 1e-5 if want["policy"] == "las_preempt" else 1e-9 # it wakes a little late on purpose
    pairs = [("summary", want["summary"], got["summary"]), ("worst", {"worst": want["worst"]}, got)]
    pairs += [("job %d" % a["id"], a, b) for a, b in zip(want["jobs"], got["jobs"])]
    for where, a, b in pairs:
        for key, value in a.items():
            if key != "killed" and not (key == "end" and a.get("outcome") == "blocked"):
                numbers += 1
                if key not in b or not near(value, b[key], tolerance):
                    wrong.append("%s: %s %s is %s, expected %s" % (name, where, key, b.get(key, "not there"), value))
print("# %d numbers of the other model are the same, %d differ; %d scenarios were left out" % (numbers - len(wrong), len(wrong), len(skipped)))
sys.exit("\n".join(wrong[:10]) or 0)
PY
result $? "all measures are those of another model"
exit $failed

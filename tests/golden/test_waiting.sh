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

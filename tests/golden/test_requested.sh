#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Requested times and a clock of seconds since 1970: a case by hand, and those of a model that knows
# nothing of this program, where its results are at hand. Needs $LIGHTPATH, the program, and python3.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v python3 >/dev/null || { echo "skip requested: python3 is missing" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-requested.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

# compare NAME SCENARIO EXPECTED: jobs and summary, in every key that both have
compare() {
    "$lightpath" run "$2" --json >out 2>err </dev/null && python3 - "$3" <<'PY' 2>>err
import json, sys
want, got = json.load(open(sys.argv[1])), json.load(open("out"))
pairs, compared = [("summary", want["summary"], got["summary"])], 0
pairs += [("job %d" % i, a, b) for i, (a, b) in enumerate(zip(want["jobs"], got["jobs"]))]
pairs += [(where + " account", a["account"], {key: b["account"].get(key, 0) for key in a["account"]}) for where, a, b in pairs[1:]]
def same(a, b):
    number = isinstance(a, (int, float)) and isinstance(b, (int, float))
    return abs(a - b) <= 1e-9 * max(1, abs(a)) if number else a == b
for where, a, b in pairs:
    for key in set(a) & set(b) - {"account", "window", "waited"}:
        compared += 1
        if not same(a[key], b[key]):
            sys.exit("%s %s is %r, expected %r" % (where, key, b[key], a[key]))
if len(want["jobs"]) != len(got["jobs"]) or compared < 3 * len(want["jobs"]):
    sys.exit("%d jobs, %d numbers compared" % (len(got["jobs"]), compared))
PY
    if [ $? -eq 0 ]; then
        echo "ok requested: $1"
    else
        head -n 12 err | sed 's/^/  /'
        echo "not ok requested: $1"
        failed=1
    fi
}

# A holds 3 of 4 servers for 10 of the 30 s that it would take; B, who asked for all of them, comes at 1
# and is preempted by nobody; C asks for more than it takes, and is done.
cat >hand.json <<'JSON'
{ "lightpath": 1, "queue_capacity": 9, "kill_at_requested": true,
  "cluster": { "fabric": "ideal", "ideal": { "servers": 4 } }, "policy": { "script": "strict_fifo.lua" },
  "jobs": [ { "servers": 3, "duration": 30, "requested": 10 }, { "servers": 4, "duration": 7, "requested": "7 s", "arrival": 1 },
            { "servers": 1, "duration": 5, "requested": 50, "arrival": 2 } ] }
JSON
cat >hand.expected <<'JSON'
{ "summary": { "arrived": 3, "completed": 2, "killed": 1, "blocked": 0, "unfinished": 0 },
  "jobs": [ { "outcome": "killed", "cause": null, "start": 0, "end": 10, "jct": null, "account": { "wait": 0, "computing": 0, "lost": 10 } },
            { "outcome": "completed", "start": 10, "end": 17, "jct": 16, "account": { "wait": 9, "computing": 7, "lost": 0 } },
            { "outcome": "completed", "start": 17, "end": 22, "jct": 20, "account": { "wait": 15, "computing": 5, "lost": 0 } } ] }
JSON
compare "a job that asked for too little is killed" hand.json hand.expected

# A failure from 4 to 6 takes A's servers: it waits, and has held them for 10 s at 12, work done again counted.
cat >stopped.json <<'JSON'
{ "lightpath": 1, "queue_capacity": 9, "kill_at_requested": true, "on_failure": "requeue", "failures": { "trace": "4,server,0,2\n" },
  "cluster": { "fabric": "ideal", "ideal": { "servers": 2 } }, "policy": { "script": "strict_fifo.lua" },
  "jobs": [ { "servers": 2, "duration": 30, "requested": 10, "checkpoint": { "interval": 3, "cost": 0 } } ] }
JSON
cat >stopped.expected <<'JSON'
{ "summary": { "killed": 1, "completed": 0 },
  "jobs": [ { "outcome": "killed", "start": 0, "end": 12, "stops": 1, "account": { "wait": 0, "requeued": 2, "computing": 0, "lost": 10 } } ] }
JSON
compare "stretches before and after a failure count together" stopped.json stopped.expected

goldens=$root/../shared/goldens/queue
if ! ls "$goldens"/029-*.expected.json >/dev/null 2>&1; then
    echo "skip requested: the results of another model are not at hand"
    exit $failed
fi
for expected in "$goldens"/029-*.expected.json "$goldens"/03[234]-*.expected.json; do
    name=$(basename "$expected" .expected.json)
    policy=${name##*-kill-}
    [ "$policy" != "$name" ] && [ ! -e "$root/scripts/$policy.lua" ] && continue
    compare "$name" "$goldens/$name.json" "$expected"
done
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A reader rebuilds from a trace alone which job holds which servers: in no scenario does one belong to
# two jobs, ops run only on what their job holds, and each job has as many server-seconds as the run
# says of it. Needs $LIGHTPATH, the program, and python3.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "skip trace: there is no program $lightpath" && exit 0; }
command -v python3 >/dev/null || { echo "skip trace: there is no python3" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/trace.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok trace: $2"
    else
        tail -n 3 err
        echo "not ok trace: $2"
        failed=1
    fi
}
cat >use.py <<'PY'
import json, sys
held, owner, last = {}, {}, 0.0
kinds = {}
run = json.load(open(sys.argv[2]))
areas, sizes = {}, {}
for line in open(sys.argv[1]):
    e = json.loads(line)
    if e["kind"] in ("op", "flow", "collective"):
        for s in e["server"] if isinstance(e["server"], list) else [e["server"]]:
            assert s is None or s in owner and owner[s] == e["job"] or e["start"] > e["t"], (e, owner.get(s))
        continue
    kinds[e["kind"]] = kinds.get(e["kind"], 0) + 1
    t = e["t"]
    assert t >= last, "time goes back"
    for id, servers in held.items():
        areas[id] = areas.get(id, 0.0) + len(servers) * (t - last)
    last = t
    if e["job"] is None:
        continue
    for s in held.pop(e["job"], []):
        del owner[s]
    now = e["server"] or []
    for s in now:
        assert s not in owner, f"server {s} of job {e['job']} and {owner[s]} at {t}"
        owner[s] = e["job"]
    if now:
        held[e["job"]] = now
        sizes.setdefault(e["job"], set()).add(len(now))
for j in run["jobs"]:
    if j["outcome"] in ("completed", "blocked"):
        assert j["id"] not in held, f"job {j['id']} has ended and holds servers"
    if j["outcome"] == "unfinished" and j["servers"] is not None and held.get(j["id"]):
        assert sorted(held[j["id"]]) == sorted(j["servers"]), j["id"]
assert kinds.get("preempt", 0) == sum(j["preemptions"] or 0 for j in run["jobs"]), (kinds, sum(j["preemptions"] or 0 for j in run["jobs"]))
checked = 0
for j in run["jobs"]:
    area = areas.get(j["id"], 0.0)
    if j["outcome"] == "completed" and j["preemptions"] == 0 and j["moves"] == 0 and not j.get("stops"):
        want = (j["end"] - j["start"]) * len(j["servers"])
        assert abs(area - want) <= 1e-9 * max(1.0, j["end"] * len(j["servers"])), (j["id"], area, want)
        checked += 1
    elif j["outcome"] == "completed" and "accounts" in j and j["moves"] == 0 and len(sizes[j["id"]]) == 1:
        want = j["accounts"]["held"] * len(j["servers"])
        assert abs(area - want) <= 1e-9 * max(1.0, j["end"] * len(j["servers"])), (j["id"], area, want)
        checked += 1
print(" ".join(f"{k}={v}" for k, v in sorted(kinds.items())), checked)
sys.exit(0 if checked else "no job was checked")
PY
# uses KINDS RUN...: the trace has lines of these kinds, and tells who holds what
uses() {
    local kinds=$1 kind ok=0
    shift
    "$lightpath" run "$@" --trace t --json >j 2>err </dev/null && python3 use.py t j >out 2>>err || ok=1
    for kind in $kinds; do
        grep -q "\"kind\":\"$kind\"" t || { echo "no $kind" >>err && ok=1; }
    done
    result $ok "$*"
}
few="--set generator.count=40"
for scenario in pac-ml-32 zones leaf-spine published-32 ideal-loss transformers; do
    # shellcheck disable=SC2086  # words are words
    uses "start completion" $scenario $few
done
# shellcheck disable=SC2086
uses "failure repair resume" ocs-failures $few
# shellcheck disable=SC2086
uses "failure repair resume" ocs-failures $few --set on_failure=requeue
# shellcheck disable=SC2086
uses "failure repair hold" ocs-failures $few --set on_failure=hold
uses "preempt resume" rigid --policy las_preempt.lua
uses "start stop" pod-64 --until 20000

# Four servers, the shortest job first: 0 gives way to 1, 2 to 4; both go on later.
cat >preemption.json <<'JSON'
{ "lightpath":1, "queue_capacity":50, "cluster":{"fabric":"ideal","ideal":{"servers":4}},
  "jobs":[{"servers":4,"duration":100},{"servers":4,"duration":10,"arrival":20},{"servers":4,"duration":10,"arrival":25},
          {"servers":2,"duration":50,"arrival":30},{"servers":2,"duration":5,"arrival":30}] }
JSON
uses "preempt resume" preemption.json --policy srpt.lua
grep -vE '"kind":"(arrival|wait)"' t |
    sed -E 's/.*"t":([0-9.]+),"kind":"([a-z]+)","job":([0-9]+).*"server":(null|\[[0-9,]*\]).*/\1 \2 \3 \4/' >got
cat >want <<'END'
0 start 0 [0,1,2,3]
20 preempt 0 null
20 start 1 [0,1,2,3]
30 completion 1 null
30 start 2 [0,1,2,3]
30 preempt 2 null
30 start 4 [0,1]
35 completion 4 null
35 resume 2 [0,1,2,3]
45 completion 2 null
45 start 3 [0,1]
95 completion 3 null
95 resume 0 [0,1,2,3]
175 completion 0 null
END
diff want got >err
result $? "who gives way and goes on"

# A failure that stops two jobs at once has a line for each, and names what broke.
cat >two.json <<'JSON'
{ "lightpath":1, "queue_capacity":5, "on_failure":"requeue", "cluster":{"fabric":"ideal","ideal":{"servers":4}},
  "failures":{"trace":"10,server,1,5\n10,server,2,5"}, "jobs":[{"servers":2,"duration":20},{"servers":2,"duration":20}] }
JSON
uses "failure repair resume" two.json
[ "$(grep -c '"component":"server [12]"' t)" -eq 4 ] && [ "$(grep -c '"kind":"failure","job":[01],.*"server":null' t)" -eq 2 ]
result $? "what broke, and whom it stopped"
exit $failed

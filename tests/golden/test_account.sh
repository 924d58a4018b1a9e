#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The account of a job's time in run --json: two cases by hand, and those of a model that knows nothing
# of this program, where its results are at hand. Needs $LIGHTPATH, the program, and python3.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v python3 >/dev/null || { echo "skip account: python3 is missing" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-account.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok account: $2"
    else
        sed 's/^/  /' err | head -n 12
        echo "not ok account: $2"
        failed=1
    fi
}
# account NAME JOB PARTS SCENARIO: the parts of a job are these, and no others
account() {
    "$lightpath" run "$4" --json >out 2>err </dev/null && python3 - "$2" "$3" <<'PY' 2>>err
import json, sys
job = json.load(open("out"))["jobs"][int(sys.argv[1])]
is_, want = job["account"], {k: float(v) for k, v in (p.split("=") for p in sys.argv[2].split())}
near = lambda a, b: abs(a - b) <= 1e-9 * max(1, abs(b))
if not all(near(is_.get(k, 0), want.get(k, 0)) for k in set(is_) | set(want)):
    sys.exit("it is %s, expected %s" % (is_, want))
PY
    result $? "$1"
}

# a job of 4 x 100 s writes a checkpoint each 30 s (5 s; 10 s to read); a server is down from 65 to 85
cat >hand.json <<'JSON'
{ "lightpath": 1, "queue_capacity": 9, "on_failure": "requeue",
  "cluster": { "fabric": "ideal", "ideal": { "servers": 4 } },
  "policy": { "script": "strict_fifo.lua" },
  "failures": { "trace": "65,server,0,20\n" },
  "jobs": [ { "servers": 4, "duration": 100, "checkpoint": { "interval": 30, "cost": 5, "restart": 10 } },
            { "servers": 1, "duration": 10, "arrival": 1 } ] }
JSON
account "a failure takes the work since the last checkpoint" 0 \
    "computing=100 checkpoint=15 lost=30 restart=10 requeued=20" hand.json
account "who comes later waits" 1 "wait=174 computing=10" hand.json
"$lightpath" explain hand.json --job 0 >out 2>err </dev/null
sed -n '/^time/,/JCT/p' out | tr -s ' ' | diff - <(cat <<'TXT'
time waiting after a failure 11.4 % 20 s 20 s while what it needed was down
 computing 57.1 % 100 s
 writing checkpoints 8.6 % 15 s
 reading its checkpoint 5.7 % 10 s
 work lost 17.1 % 30 s
 JCT 100.0 % 175 s
TXT
) >>err
result $? "explain shows it"
"$lightpath" explain hand.json --job 1 >out 2>err </dev/null
sed -n '/^time/,/JCT/p' out | tr -s ' ' | diff - <(cat <<'TXT'
time waiting 94.6 % 174 s 154 s no server was free, 20 s behind job 0
 computing 5.4 % 10 s
 JCT 100.0 % 184 s
TXT
) >>err
result $? "explain says what a job waited for"
"$lightpath" run hand.json --json | grep -o '"waited":{[^}]*}' | diff - <(printf '%s\n' \
    '"waited":{"resource":0,"broken":20,"behind":0,"policy":0}' '"waited":{"resource":154,"behind":20,"policy":0}') >>err
result $? "so do results"

goldens=$root/../shared/goldens/queue
if ! ls "$goldens"/account-*.expected.json >/dev/null 2>&1; then
    echo "skip account: the results of another model are not at hand"
    exit $failed
fi
for expected in "$goldens"/account-*.expected.json; do
    name=$(basename "$expected" .expected.json)
    account "$name" 0 "$(python3 -c 'import json, sys
print(*("%s=%r" % part for part in json.load(open(sys.argv[1]))["account"].items()))' "$expected")" "$goldens/$name.json"
done
exit $failed

#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Curves as CSV: their ends are the figures of the summary, of run and of compare.
cd "$(dirname "$0")/../.." || exit 1
lightpath=${LIGHTPATH:-build/release/lightpath}
work=$(mktemp -d "${TMPDIR:-/tmp}/curves.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
verdict() {
    [ "$2" -eq 0 ] && echo "ok $1" && return
    echo "not ok $1"
    failed=1
}

"$lightpath" run scenarios/pac-ml-32.json --curves "$work/c" >"$work/o" && [ "$(head -n 1 "$work/c")" = run,curve,x_s,y_share ] &&
    [ "$(cut -d, -f2 "$work/c" | sort -u | tr '\n' ' ')" = 'blocking curve jct utilisation ' ]
verdict "curves: of a run, as a table" $?

if command -v python3 >/dev/null; then
"$lightpath" run scenarios/pac-ml-32.json --curves "$work/c" --json >"$work/j" &&
    python3 - "$work/c" "$work/j" <<'PY'
import csv, json, sys
rows = list(csv.reader(open(sys.argv[1])))
run = json.load(open(sys.argv[2]))["summary"]
assert rows[0] == ["run", "curve", "x_s", "y_share"], rows[0]
curves = {}
for name, curve, x, y in rows[1:]:
    points = curves.setdefault(curve, [])
    assert 0 <= float(y) <= 1 and (not points or float(x) >= points[-1][0])
    points.append((float(x), float(y)))
assert sorted(curves) == ["blocking", "jct", "utilisation"]
assert abs(curves["jct"][-1][1] - run["completed"] / run["arrived"]) < 1e-12
assert abs(curves["blocking"][-1][1] - run["blocking_rate"]) < 1e-12
assert all(a[1] <= b[1] for a, b in zip(curves["jct"], curves["jct"][1:]))
busy = curves["utilisation"]
assert busy[-1][1] == 0 and max(y for x, y in busy) <= 1
PY
verdict "curves: of a run, they end where its summary does" $?

"$lightpath" compare scenarios/pac-ml-32.json --policy meets_deadline --policy max_parallelism --seeds 1..2 \
    --set generator.count=40 --curves "$work/c" --json >"$work/j" &&
    python3 - "$work/c" "$work/j" <<'PY'
import csv, json, sys
rows = list(csv.reader(open(sys.argv[1])))
assert rows[0] == ["run", "seed", "curve", "x_s", "y_share"], rows[0]
last = {(r[0], r[1], r[2]): float(r[4]) for r in rows[1:]}
runs = json.load(open(sys.argv[2]))["rows"]
assert len(last) == 3 * len(runs) == 12
for run in runs:
    assert abs(last[run["policy"], str(run["seed"]), "blocking"] - run["blocking_rate"]) < 1e-12
PY
verdict "curves: of a comparison, for every policy and seed" $?
else
    echo "skip curves against the summary: there is no python3"
fi

"$lightpath" run scenarios/pac-ml-32.json --curves /nosuch/c >"$work/o" 2>"$work/e"
[ $? -ne 0 ] && grep -q '/nosuch/c' "$work/e" && [ ! -s "$work/o" ]
verdict "curves: a file that cannot be written is told before the run" $?
"$lightpath" compare scenarios/pac-ml-32.json --policy a --policy b --shard 1/2 --curves "$work/c2" 2>"$work/e"
[ $? -eq 2 ] && grep -q 'exclude each other' "$work/e"
verdict "curves: not of a share of the runs" $?
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The policies that schedule circuits, on eight servers round one switch: all answer without an error,
# twice the same, and where nothing is dark for long they let the job in hand finish.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
lightpath=${LIGHTPATH:-build/release/lightpath}
work=$(mktemp -d "${TMPDIR:-/tmp}/circuits.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
cat >"$work/s.json" <<'END'
{ "lightpath": 1, "name": "s", "cluster": { "fabric": "ocs", "ocs": { "servers": 8, "aggregators": 0,
  "server_bandwidth": "100 Gb/s", "reconfiguration": "1 ms", "interval": "500 ms" } },
  "graphs": [ { "id": "alexnet", "zoo": "alexnet" }, { "id": "gnmt", "zoo": "gnmt" } ],
  "jobs": [ { "graph": "alexnet", "arrival": 0, "steps": 20 }, { "graph": "gnmt", "arrival": 1, "steps": 20 } ],
  "partition": { "kind": "data", "max_degree": 4 } }
END
for name in first_fit max_weight bvn solstice eclipse hold; do
    "$lightpath" run "$work/s.json" --policy "scripts/ocs_$name.lua" --json >"$work/a" 2>"$work/err" || failed=1
    "$lightpath" run "$work/s.json" --policy "scripts/ocs_$name.lua" --json >"$work/b" 2>>"$work/err"
    if grep -q '"completed":2,"blocked":0' "$work/a" && cmp -s "$work/a" "$work/b" && [ ! -s "$work/err" ]; then
        echo "ok ocs_$name"
    else
        cat "$work/err"
        grep -o '"arrived":[^}]*' "$work/a"
        echo "not ok ocs_$name"
        failed=1
    fi
done
for name in first_fit max_weight bvn solstice eclipse hold_or_switch; do
    "$lightpath" run "$work/s.json" --policy scripts/ocs_queue.lua --param degree=4 --param "schedule=$name" --json \
        >"$work/a" 2>"$work/err" || failed=1
    if grep -q '"completed":2,"blocked":0' "$work/a" && [ ! -s "$work/err" ]; then
        echo "ok ocs_queue with $name"
    else
        cat "$work/err"
        echo "not ok ocs_queue with $name"
        failed=1
    fi
done
exit $failed

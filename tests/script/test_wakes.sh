#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Timers that pile up on one instant, two wakes a review: found without walking through all of them,
# and in the same order as ever. Needs $LIGHTPATH, the program.
set -u
lightpath=$(realpath "${LIGHTPATH:-build/release/lightpath}")
work=$(mktemp -d "${TMPDIR:-/tmp}/wakes.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
cat >long.json <<'JSON'
{ "lightpath": 1, "name": "long",
  "cluster": { "fabric": "ideal", "ideal": { "servers": 4 }, "server": { "device": "A100", "memory": "40 GB" } },
  "jobs": [ { "servers": 2, "duration": 250 }, { "servers": 2, "duration": 300, "arrival": 1 } ] }
JSON
pile() { # UNTIL
    printf '%s\n' 'local policy = { name = "wakes", api = 1 }' 'function policy:review(event, cluster)' \
        "  if cluster.now < $1 then return { { \"wake\", at = cluster.now + 0.0021 }, { \"wake\", at = $1 } } end" 'end' 'return policy' >wakes.lua
}
pile 20
if [ "$("$lightpath" run long.json --policy wakes.lua --hash 2>/dev/null)" = 7af34b7654c06dd5 ]; then
    echo "ok wakes: ten thousand timers of one instant, in the order of before"
else
    echo "not ok wakes: another hash than when every timer was looked at" && failed=1
fi
# (when each was found by a walk through all of them this took minutes)
pile 200
"$lightpath" run long.json --policy wakes.lua --hash >out 2>/dev/null && [ -s out ]
if [ $? -eq 0 ]; then
    echo "ok wakes: a hundred thousand of them"
else
    echo "not ok wakes: a hundred thousand of them" && failed=1
fi
exit $failed

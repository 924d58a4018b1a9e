#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whose short word says why a job waits: --words, else Slurm's where the scenario was made of a trace, else the plain
# one; in run, explain and the explorer. Needs $LIGHTPATH.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-words.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

scenario() { # MORE KEYS
    printf '%s' '{"lightpath": 1, "horizon": 10, "policy": {"script": "tree_fit.lua"}, "cluster": {"fabric": "packet", "packet":
        {"topology": "leaf_spine", "leaves": 2, "spines": 1, "servers_per_leaf": 4}}, "jobs": [{"servers": 6, "duration": 90},
        {"servers": 4, "duration": 9, "arrival": 1, "required": "leaf"}]'"$1}"
}
# expect WHAT WORD COMMAND...: the word stands where the reason does
expect() {
    local what=$1 word=$2
    shift 2
    if "$@" >out 2>err && grep -qE "$word" out; then
        echo "ok $what"
    else
        echo "not ok $what: $(cat err out | head -40)"
        failed=1
    fi
}
scenario '' >plain.json
scenario ', "import": {"rows": 3, "taken": 2, "left_out": {"step": 1}}' >trace.json
printf "seek 5 s\nT\n" >keys

expect "a scenario by hand: run" '"word":"resource"' "$lightpath" run plain.json --json
expect "explain" '^waiting for resource: ' "$lightpath" explain plain.json --job 1
expect "the explorer" ' resource ' "$lightpath" plain.json --keys keys --size 100x30 --save-screen -
expect "one that was made of a trace: run" '"word":"Resources"' "$lightpath" run trace.json --json
expect "explain" '^waiting for Resources: ' "$lightpath" explain trace.json --job 1
expect "the explorer" ' Resources ' "$lightpath" trace.json --keys keys --size 100x30 --save-screen -
expect "--words decides: run" '"word":"resource"' "$lightpath" run trace.json --json --words plain
expect "explain" '^waiting for Resources: ' "$lightpath" explain plain.json --job 1 --words slurm
expect "the explorer" ' TopologyPlac' "$lightpath" trace.json --keys keys --size 100x30 --save-screen - --words kueue
exit $failed

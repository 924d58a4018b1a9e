#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A run, the same run walked through in an explorer with rewinds and forks, what-if and batches on
# several threads ask a policy in different orders, and agree: nothing of what it was asked before
# shows (docs/determinism.md). The policies are made to tell it if it did.
set -u
lightpath=$(realpath "${LIGHTPATH:-build/release/lightpath}")
policies=$(cd "$(dirname "$0")/policies" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/history.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_STATE_HOME=$work/state
failed=0
result() { # STATUS NAME
    if [ "$1" -eq 0 ]; then echo "ok history: $2"; else echo "not ok history: $2" && failed=1; fi
}
cat >tiny.json <<'JSON'
{ "lightpath": 1, "name": "tiny",
  "cluster": { "fabric": "ramp", "ramp": { "communication_groups": 2, "racks_per_group": 2,
    "servers_per_rack": 4 } },
  "graphs": [ { "id": "alexnet", "zoo": "alexnet", "batch": 32 } ],
  "generator": { "count": 24, "interarrival": { "fixed": 1 }, "steps": 10, "graphs": ["alexnet"] },
  "partition": { "max_degree": 8 } }
JSON

hash_of() { # POLICY: of the whole run
    "$lightpath" run tiny.json --policy "$policies/$1.lua" --hash 2>/dev/null </dev/null | grep -oE '[0-9a-f]{16}' | tail -n 1
}

# Decides far ahead, goes back, forks, asks about other decisions, and comes back to the end.
cat >walk <<'END'
:write walk.session
n*9
:back 7
n*2
:fork degree=2
n*5
:undo
:branch main
:seek d1
:ghost
n*3
:fork degree=4
n*6
:branch main
:seek e9999
n*40
:write
END
for policy in history objects holes; do
    expected=$(hash_of $policy)
    rm -f walk.session
    "$lightpath" tiny.json --policy "$policies/$policy.lua" --keys walk --size 100x30 --save-screen screen >out 2>err </dev/null
    "$lightpath" replay walk.session --verify --json >verified 2>>err </dev/null
    [ -n "$expected" ] && grep -q "\"name\":\"main\".*\"hash\":\"$expected\"" verified
    result $? "$policy: a walk with rewinds and forks ends as the run does"
    grep -q '"verified":true,"difference":null' verified &&
        [ "$(grep -c '^{"name":' verified)" -ge 3 ]
    result $? "$policy: every branch of the walk is verified by a policy that was asked straight on"
done

"$lightpath" run tiny.json --policy "$policies/history.lua" --json >run.json 2>/dev/null </dev/null
grep -q '"blocked":[1-9]' run.json && grep -q '"completed":[1-9]' run.json
result $? "some calls fall over the edge of the budget, others do not"

batch() { # THREADS
    "$lightpath" compare tiny.json --seeds 3 --threads "$1" --json --policy "$policies/history.lua" \
        --policy "$policies/objects.lua" --policy "$policies/holes.lua" 2>&1 </dev/null
}
batch 1 >batch1 && grep -q '"completed"' batch1
result $? "a batch runs"
for threads in 2 4; do
    batch $threads | cmp -s batch1 -
    result $? "a batch on $threads threads gives the same bytes"
done

whatif() { # THREADS
    "$lightpath" whatif tiny.json --policy "$policies/history.lua" --at d9 --to-end --threads "$1" \
        --json 2>&1 </dev/null
}
whatif 1 >whatif1 && grep -q '"rows"' whatif1
result $? "what-if runs"
whatif 3 | cmp -s whatif1 -
result $? "what-if on 3 threads gives the same bytes"
exit $failed

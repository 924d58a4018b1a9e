#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The scenario leaf-spine as it was worked out when it was written; two jobs on one link by hand.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
lightpath=${LIGHTPATH:-build/release/lightpath}
work=$(mktemp -d "${TMPDIR:-/tmp}/packet.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# expect NAME WANTED GOT
expect() {
    if [ "$2" = "$3" ]; then
        echo "ok $1"
    else
        echo "expected: $2"
        echo "got:      $3"
        echo "not ok $1"
        failed=1
    fi
}

# field KEY FILE JOB: of one job's line
field() {
    grep "^{\"id\":$3," "$2" | sed "s/.*\"$1\":\([^,]*\),.*/\1/"
}

"$lightpath" run scenarios/leaf-spine.json --json >"$work/leaf-spine"
expect "leaf-spine: mean JCT" '"mean_jct":32.527243438743376' "$(grep -o '"mean_jct":[^,]*' "$work/leaf-spine")"
expect "leaf-spine: counts" '"arrived":200,"completed":104,"blocked":96' \
    "$(grep -o '"arrived":[0-9]*,"completed":[0-9]*,"blocked":[0-9]*' "$work/leaf-spine")"

# Two rings of two across a link of their servers' rate, 1 GB each: 1 s of computing, 1 s of sending
# alone, 2 s together, and adds of 0.5e9 bytes of operands at an
# intensity of 1/6 (A100, 2.039 TB/s).
cat >"$work/one.json" <<'END'
{ "lightpath_profile": 1, "ops": [ { "id": 1, "forward": 1, "backward": 1, "activation": 0, "parameters": 1e9 } ], "edges": [] }
END
cat >"$work/two.json" <<'END'
{ "lightpath": 1, "name": "two", "cluster": { "fabric": "packet", "packet": { "topology": "links",
  "servers": 4, "switches": 2, "io_latency": 0, "links": [
    { "from": "server 0..1", "to": "switch 0", "bandwidth": "1 GB/s" },
    { "from": "server 2..3", "to": "switch 1", "bandwidth": "1 GB/s" },
    { "from": "switch 0", "to": "switch 1", "bandwidth": "1 GB/s" } ] } },
  "graphs": [ { "id": "one", "file": "one.json", "format": "lightpath" } ],
  "jobs": [ { "graph": "one", "arrival": 0, "steps": 8 }, { "graph": "one", "arrival": 0, "steps": 4 } ],
  "partition": { "kind": "data", "max_degree": 2, "min_op_time": 0.01 },
  "policy": { "script": "across.lua" } }
END
cat >"$work/across.lua" <<'END'
local policy = { name = "across", api = 1 }
function policy:place(job, cluster)
  return { servers = { job.id, job.id + 2 } }
end
return policy
END
# both take 3 s + adds a step until the second is done after 4 steps; the first has 4 left at 2 s + adds
"$lightpath" run "$work/two.json" --json >"$work/two" || failed=1
adds=$(awk 'BEGIN { printf "%.9f", 0.5e9 / 2 / (2.039e12 / 6) }')
expect "two jobs: the shorter one" "$(awk "BEGIN { printf \"%.6f\", 4 * (3 + $adds) }")" \
    "$(printf '%.6f' "$(field end "$work/two" 1)")"
expect "two jobs: the longer one" "$(awk "BEGIN { printf \"%.6f\", 4 * (3 + $adds) + 4 * (2 + $adds) }")" \
    "$(printf '%.6f' "$(field end "$work/two" 0)")"

# A chain of two links (Bertsekas and Gallager): one job over both, one on each; the first link has 1,
# the second 2 GB/s. Max-min: half a GB/s on the first for both of its jobs, 1.5 for the third, whose
# own cable has 1: it is not slowed down. When the second job is done after 3 steps the first has all.
cat >"$work/chain.json" <<'END'
{ "lightpath": 1, "name": "chain", "cluster": { "fabric": "packet", "packet": { "topology": "links",
  "servers": 6, "switches": 3, "io_latency": 0, "links": [
    { "from": "server 0..1", "to": "switch 0", "bandwidth": "1 GB/s" },
    { "from": "server 2..3", "to": "switch 1", "bandwidth": "1 GB/s" },
    { "from": "server 4..5", "to": "switch 2", "bandwidth": "1 GB/s" },
    { "from": "switch 0", "to": "switch 1", "bandwidth": "1 GB/s" },
    { "from": "switch 1", "to": "switch 2", "bandwidth": "2 GB/s" } ] } },
  "graphs": [ { "id": "one", "file": "one.json", "format": "lightpath" } ],
  "jobs": [ { "graph": "one", "arrival": 0, "steps": 8, "hint": [0, 4] },
            { "graph": "one", "arrival": 0, "steps": 3, "hint": [1, 2] },
            { "graph": "one", "arrival": 0, "steps": 6, "hint": [3, 5] } ],
  "partition": { "kind": "data", "max_degree": 2, "min_op_time": 0.01 },
  "policy": { "script": "hint.lua" } }
END
cat >"$work/hint.lua" <<'END'
local policy = { name = "hint", api = 1 }
function policy:place(job, cluster)
  return { servers = job.hint }
end
return policy
END
"$lightpath" run "$work/chain.json" --json >"$work/chain" || failed=1
chain() {
    expect "a chain: $1" "$(awk "BEGIN { T = 2 + $adds; printf \"%.6f\", $3 }")" "$(printf '%.6f' "$(field end "$work/chain" "$2")")"
}
chain "the short job, at half the link" 1 "3 * (T + 1)"
chain "the job over both links" 0 "3 * (T + 1) + 5 * T"
chain "the job on the wide link" 2 "6 * T"
exit $failed

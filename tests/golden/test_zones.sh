#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Zones: a step by hand, what docs/zones.md says in direction, measurements that policies see, and the
# same bytes twice.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
lightpath=${LIGHTPATH:-build/release/lightpath}
work=$(mktemp -d "${TMPDIR:-/tmp}/zones.XXXXXX") || exit 1
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

# One op of 1 s forward and 1 s backward, 1 GB of parameters; data-parallel on two servers 0.5 s of
# computing each way and a ring all-reduce: 2 * (delay + 0.5 GB / rate) and the adds. Across zones
# the delay is 10 ms + 0, the loss 1e-4, and by Mathis 100 connections reach
# 100 * 1460 / 0.02 * sqrt(1.5 / 1e-4) = 894 MB/s of the link's 1 GB/s.
cat >"$work/one.json" <<'END'
{ "lightpath_profile": 1, "ops": [ { "id": 1, "forward": 1, "backward": 1, "activation": 0, "parameters": 1e9 } ], "edges": [] }
END
cat >"$work/two.json" <<'END'
{ "lightpath": 1, "name": "two", "cluster": { "fabric": "zones", "zones": { "io_latency": 0,
  "inside": { "delay": 0, "loss": 0, "bandwidth": "1 GB/s" },
  "between": { "delay": "5 ms", "loss": 0.5e-4, "bandwidth": "1 GB/s" },
  "zones": [ { "name": "a", "servers": 2 }, { "name": "b", "servers": 2 } ],
  "links": [ { "from": "b", "to": "a", "length": 2 } ],
  "tcp": { "connections": 100 },
  "measured": { "interval": "10 s", "delay_error": 0.25, "loss_error": 0.25, "throughput_error": 0.25 } } },
  "graphs": [ { "id": "one", "file": "one.json", "format": "lightpath" } ],
  "jobs": [ { "graph": "one", "arrival": 0, "steps": 4 }, { "graph": "one", "arrival": 100, "steps": 4 } ],
  "partition": { "kind": "data", "max_degree": 2, "min_op_time": 0.01 },
  "policy": { "script": "place.lua" } }
END
# the first job inside a zone, the second one across; what was measured, said
cat >"$work/place.lua" <<'END'
local policy = { name = "place", api = 1 }
function policy:place(job, cluster)
  local zones, link = cluster:zones(), cluster:link(0, 3)
  local near = link.delay >= 0.0075 and link.delay <= 0.0125 and link.loss >= 0.75e-4 and
    link.loss <= 1.25e-4 and link.throughput > 0.6e9 and link.throughput < 1.2e9
  local exact = link.delay == 0.01 or link.loss == 1e-4
  local inside = cluster:link(0, 1)
  return { servers = { 0, job.id == 0 and 1 or 3 } }, ("%s %d %s at %g: %s, %s, inside %g"):format(
    zones[2].name, #zones, table.concat(zones[2].free, "+"), link.measured_at,
    tostring(near), tostring(exact), inside.loss)
end
return policy
END
"$lightpath" run "$work/two.json" --json >"$work/two" || failed=1
adds=$(awk 'BEGIN { printf "%.12f", 0.5e9 / 2 / (2.039e12 / 6) }')
expect "a job inside a zone" "$(awk "BEGIN { printf \"%.6f\", 4 * (1 + 2 * 0.5 + $adds) }")" \
    "$(printf '%.6f' "$(field jct "$work/two" 0)")"
expect "a job across, over TCP" \
    "$(awk "BEGIN { r = 100 * 1460 / 0.02 * sqrt(1.5 / 1e-4); printf \"%.6f\", 4 * (1 + 2 * (0.01 + 0.5e9 / r) + $adds) }")" \
    "$(printf '%.6f' "$(field jct "$work/two" 1)")"
expect "what policies see" '"why":"b 2 2+3 at 0: true, false, inside 0"' \
    "$(grep '^{"id":0,' "$work/two" | grep -o '"why":"[^"]*"')"
expect "... and when it is of" '"why":"b 2 2+3 at 100: true, false, inside 0"' \
    "$(grep '^{"id":1,' "$work/two" | grep -o '"why":"[^"]*"')"

# jct POLICY SET...: mean of the scenario, rounded
jct() {
    local policy=$1
    shift
    "$lightpath" run scenarios/zones.json --policy "$policy" "$@" --json |
        sed -n 's/.*"mean_jct":\([0-9.]*\).*/\1/p' | head -n 1
}

near=(--set "cluster.zones.between.delay=1us" --set cluster.zones.between.loss=0)
far=(--set "cluster.zones.between.delay=1ms" --set cluster.zones.between.loss=1e-5)
expect "near: zones hardly matter" yes "$(awk -v a="$(jct spread_default.lua "${near[@]}")" -v b="$(jct zone_aware.lua "${near[@]}")" \
    'BEGIN { print (a > 0 && b > 0 && a < 1.2 * b ? "yes" : a " " b) }')"
wide=("${near[@]}" --set "cluster.zones.links[4].bandwidth=400 Gb/s")
expect "near, and every way wide: not at all" yes "$(awk -v a="$(jct spread_default.lua "${wide[@]}")" -v b="$(jct zone_aware.lua "${wide[@]}")" \
    'BEGIN { print (a > 0 && b > 0 && a < 1.01 * b ? "yes" : a " " b) }')"
expect "far: they do" yes "$(awk -v a="$(jct spread_default.lua "${far[@]}")" -v b="$(jct zone_aware.lua "${far[@]}")" \
    -v c="$(jct random_servers.lua "${far[@]}")" 'BEGIN { print (b > 0 && a > 3 * b && c > 3 * b ? "yes" : a " " b " " c) }')"
# mean_of SEED [POLICY PARAMETERS]: mean JCT of zone_aware, in full
off=(--param loss_weight=0 --param delay_weight=0 --param throughput_weight=0)
mean_of() {
    local scenario=$1 seed=$2
    shift 2
    "$lightpath" run "scenarios/$scenario.json" --seed "$seed" "$@" --json |
        sed -n 's/.*"mean_jct":\([0-9.]*\).*/\1/p' | head -n 1
}
for seed in 1 2 3; do
    expect "servers of a zone alike: the score changes nothing (seed $seed)" \
        "$(mean_of zones "$seed")" "$(mean_of zones "$seed" "${off[@]}")"
done
expect "servers that differ: without the score jobs take longer" yes "$(
    for seed in 1 2 3 4 5; do
        echo "$(mean_of zones-servers "$seed") $(mean_of zones-servers "$seed" "${off[@]}")"
    done | awk '{ a += $1; b += $2 } END { print (NR == 5 && a > 0 && b > 1.05 * a ? "yes" : a " " b) }')"
# one of two servers on a cable of a quarter of the rate, of which others take half: an eighth
expect "a job on a cable of its own" \
    "$(awk "BEGIN { printf \"%.6f\", 4 * (1 + 2 * 0.5 * 8 + $adds) }")" \
    "$(printf '%.6f' "$("$lightpath" run "$work/two.json" --json --set \
        'cluster.zones.zones[0].own_links=[{"first":1,"bandwidth":"250 MB/s","taken":0.5}]' |
        grep '^{"id":0,' | sed 's/.*"jct":\([^,]*\),.*/\1/')")"
expect "weights are parameters" 0 "$("$lightpath" run scenarios/zones.json --param loss_weight=0 --param delay_weight=0 \
    --param throughput_weight=0 --hash >/dev/null 2>&1; echo $?)"
expect "the same bytes twice" "$("$lightpath" run scenarios/zones.json --json | cksum)" \
    "$("$lightpath" run scenarios/zones.json --json | cksum)"
"$lightpath" run scenarios/zones.json --set 'cluster.zones.links[0].from=west' >"$work/out" 2>&1
expect "a zone that is not there" \
    "lightpath: scenarios/zones.json --set cluster.zones.links[0].from=west: \"from\" is the text \"west\", expected a zone such as \"north\", \"centre\", \"east\", \"south\"" \
    "$(sed 's/^lightpath: .*--set/lightpath: scenarios\/zones.json --set/' "$work/out")"
exit $failed

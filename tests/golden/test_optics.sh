#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The same jobs on packets, circuits and RAMP, reconfiguration from 1 ns to 100 ms: what docs/optics.md says;
# and when regrouping a rack stops paying.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
lightpath=${LIGHTPATH:-build/release/lightpath}
failed=0

# near NAME WANTED GOT: within 1 %
near() {
    if awk "BEGIN { d = $3 - $2; exit !(d * d <= ($2 / 100) ^ 2) }" 2>/dev/null; then
        echo "ok $1"
    else
        echo "expected: $2"
        echo "got:      $3"
        echo "not ok $1"
        failed=1
    fi
}

# jct SCENARIO OPTION...
jct() {
    local scenario=$1
    shift
    "$lightpath" run "scenarios/$scenario.json" --json "$@" | grep -o '"mean_jct":[^,]*' | cut -d: -f2
}

# mean KEY=VALUE...
mean() {
    local set=()
    for key in "$@"; do set+=(--set "$key"); done
    jct optics-vs-packets "${set[@]}"
}

near "packets" 13.1 "$(mean cluster.fabric=packet)"
near "circuits, 1 ns" 20.2 "$(mean cluster.ocs.reconfiguration='1 ns')"
near "circuits, 1 ms" 20.5 "$(mean cluster.ocs.reconfiguration='1 ms')"
near "circuits, 10 ms" 23.4 "$(mean cluster.ocs.reconfiguration=convention)"
near "circuits, 100 ms" 85.5 "$(mean cluster.ocs.reconfiguration='100 ms')"
near "RAMP, 20 ns" 13.4 "$(mean cluster.fabric=ramp)"
near "RAMP, 10 ms" 22.2 "$(mean cluster.fabric=ramp cluster.ramp.slot='10 ms')"

# when switching stops paying: what both jobs need without optics, by their ring alone, and regrouped
near "rack, no optics" 430.0 "$(jct disaggregated-rack)"
near "rack, a ring that knows the topology" 316.6 "$(jct disaggregated-rack --set cluster.ocs.ring=aware)"
near "rack, 100 ms" 112.5 "$(jct disaggregated-rack --param regroup=true --set cluster.ocs.reconfiguration='100 ms')"
near "rack, 100 s" 212.4 "$(jct disaggregated-rack --param regroup=true --set cluster.ocs.reconfiguration='100 s')"
near "rack, where it stops paying" 430.0 "$(jct disaggregated-rack --param regroup=true --set cluster.ocs.reconfiguration='317.6 s')"
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The same jobs on packets, circuits and RAMP, reconfiguration from 1 ns to 100 ms: what docs/optics.md says.
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

# mean KEY=VALUE...
mean() {
    local set=()
    for key in "$@"; do set+=(--set "$key"); done
    "$lightpath" run scenarios/optics-vs-packets.json --json "${set[@]}" | grep -o '"mean_jct":[^,]*' | cut -d: -f2
}

near "packets" 13.1 "$(mean cluster.fabric=packet)"
near "circuits, 1 ns" 20.2 "$(mean cluster.ocs.reconfiguration='1 ns')"
near "circuits, 1 ms" 20.5 "$(mean cluster.ocs.reconfiguration='1 ms')"
near "circuits, 10 ms" 23.4 "$(mean cluster.ocs.reconfiguration=convention)"
near "circuits, 100 ms" 85.5 "$(mean cluster.ocs.reconfiguration='100 ms')"
near "RAMP, 20 ns" 13.4 "$(mean cluster.fabric=ramp)"
near "RAMP, 10 ms" 22.2 "$(mean cluster.fabric=ramp cluster.ramp.slot='10 ms')"
exit $failed

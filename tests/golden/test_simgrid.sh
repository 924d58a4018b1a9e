#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs that share the links of a leaf-spine network, against SimGrid 3.32: random scenarios with fixed seeds, one actor a job.
# Interleaved they agree within what docs/semantics.md says, alone to 1e-7. Skipped without SimGrid's headers or g++.
# SCENARIOS=150 makes the numbers of the doc; fewer by default.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
lightpath=${LIGHTPATH:-build/release/lightpath}
count=${SCENARIOS:-20}
failed=0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! command -v g++ >/dev/null || ! echo '#include <simgrid/s4u.hpp>' | g++ -std=c++17 -fsyntax-only -x c++ - 2>/dev/null; then
    echo "skip simgrid: g++ and SimGrid are needed (Debian: libsimgrid-dev)"
    exit 0
fi
if ! g++ -std=c++17 -O1 tests/golden/simgrid/meet.cpp -o "$work/meet" -lsimgrid; then
    echo "not ok the comparison builds"
    exit 1
fi

# errors MODE SHARING: relative errors of JCTs of all scenarios, one on a line
errors() {
    local i
    for ((i = 1; i <= count; i++)); do
        "$work/meet" "$i" "$work/s" "$1" 2>/dev/null | sort -n >"$work/theirs"
        "$lightpath" run "$work/s.json" --set "cluster.packet.sharing=$2" --json | tr '{' '\n' |
            sed -n 's/^"id":\([0-9]*\),.*"jct":\([0-9.e+-]*\),"step_time.*/\1 \2/p' | sort -n >"$work/ours"
        paste "$work/theirs" "$work/ours" | awk -v i="$i" 'NF != 4 || $1 != $3 { print "bad", i; next } { print $4 / $2 - 1 }'
    done
}

# spread FILE: median, 90 % and worst of the errors' sizes, and how many
spread() {
    awk '{ print $1 < 0 ? -$1 : $1 }' "$1" | sort -g |
        awk '{ e[NR] = $1 } END { printf "%.3g %.3g %.3g %d\n", e[int((NR + 1) / 2)], e[int(.9 * NR + .5)], e[NR], NR }'
}

# within NAME FILE MEDIAN WORST
within() {
    local numbers
    numbers=$(spread "$2")
    if ! grep -q bad "$2" && echo "$numbers" | awk -v m="$3" -v w="$4" '{ exit !($1 <= m && $3 <= w && $4 > 0) }'; then
        echo "ok $1: median, 90 %, worst, jobs: $numbers"
    else
        echo "not ok $1: median, 90 %, worst, jobs: $numbers; expected at most $3 and $4"
        failed=1
    fi
}

errors together interleaved >"$work/interleaved"
errors alone interleaved >"$work/alone"
errors alone always_on >"$work/alone-always"
errors together always_on >"$work/always"
within "several jobs, interleaved" "$work/interleaved" .03 .1
within "one job, interleaved" "$work/alone" 1e-7 1e-7
within "one job, always on" "$work/alone-always" 1e-7 1e-7
# what the other mode is for: it is the pessimistic one, and these scenarios tell the two apart
if spread "$work/always" | awk '{ exit !($1 > .01 && $3 > .2) }'; then
    echo "ok several jobs, always on: median, 90 %, worst, jobs: $(spread "$work/always")"
else
    echo "not ok several jobs, always on: $(spread "$work/always"), expected other errors than interleaved"
    failed=1
fi
exit $failed

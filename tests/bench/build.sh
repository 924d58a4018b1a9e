#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How long building takes, without ccache: wall and processor time (user and system) of a full build,
# of the tests, and of a build after one file was touched. Works in a build folder of its own.
#
#   tests/bench/build.sh [TREE [MODE]]        TREE: this one, or an older one to compare with
set -u
cd "${1:-$(dirname "$0")/../..}" || exit 2
mode=${2:-release}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
export CCACHE_DISABLE=1

# build NAME GOAL...
build() {
    local name=$1 TIMEFORMAT='%R %U %S' took
    shift
    took=$({ time make -j"$(nproc)" MODE="$mode" O="$folder/o" "$@" >"$folder/log" 2>&1 || echo 'failed 0 0'; } 2>&1 | tail -n 1)
    awk -v name="$name" '{ printf "%-40s %7.1f s wall %7.1f s processor\n", name, $1, $2 + $3 }' <<<"$took"
}

# touched FILE...: the first that there is, newer than all objects
touched() {
    local file
    for file; do
        [ ! -e "$file" ] || { touch "$file" && build "after touching $file" all && return; }
    done
}

build "full build of the program, MODE=$mode" all
build "all test programs after it" _tests
touched engine/model/device/device.h
touched engine/sim/state/state.h
touched engine/model/lesson/exercise.h
touched ui/views/jobs/jobs_view.c ui/views/jobs/view.c
touched engine/sim/state/hash.c

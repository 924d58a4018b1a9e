#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a job costs on clusters of different sizes, rule by rule: a table of processor time (user and
# system) a job in microseconds and, last, the ratio of the largest cluster to the smallest.
#
#   tests/bench/servers.sh [-p PROGRAM]... [-n JOBS] [-r REPEATS] [-f FABRIC] [-a] [RULE]...
#
# FABRIC is ramp, packet, zones or ideal; -a takes every rule that ships. The setting is scenarios/pac-ml-32.json with its cluster exchanged. A job's cost is (time of JOBS jobs - time
# of a tenth of them) / (nine tenths of JOBS): what is worked out once, such as steps, falls out. Each is
# the least of REPEATS runs. Two PROGRAMs are measured in turns, row below row, which is the way
# to compare them on a machine that others use as well. It prints, and judges nothing.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export LC_ALL=C

jobs=3000 repeats=3 fabric=ramp programs=() every=
usage() {
    sed -n '3,13s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit "$1"
}
while getopts p:n:r:f:ah option; do
    case $option in
    p) programs+=("$OPTARG") ;;
    n) jobs=$OPTARG ;;
    r) repeats=$OPTARG ;;
    f) fabric=$OPTARG ;;
    a) every=1 ;;
    h) usage 0 ;;
    *) usage 2 >&2 ;;
    esac
done
shift $((OPTIND - 1))
[ ${#programs[@]} -gt 0 ] || programs=("$root/build/release/lightpath")
rules=("$@")
[ -z "$every" ] || mapfile -t rules < <(basename -s .lua "$root"/scripts/*.lua)
[ ${#rules[@]} -gt 0 ] || rules=(max_parallelism first_fit best_fit worst_fit pack_groups least_fragmenting
    meets_deadline acceptable_jct pac_ml fewest_late)

work=$(mktemp -d "${TMPDIR:-/tmp}/lightpath-servers.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

# cluster SIZE: the scenario's cluster of so many servers.
cluster() {
    local server='"server": { "device": "A100", "memory": "80 GB" }'
    case $fabric:$1 in
    ramp:32) set -- 4 4 2 ;;
    ramp:512) set -- 8 8 8 ;;
    ramp:4096) set -- 16 16 16 ;;
    ramp:65536) set -- 32 32 64 ;;
    packet:32) set -- 4 8 4 ;;
    packet:512) set -- 32 16 8 ;;
    packet:4096) set -- 128 32 16 ;;
    packet:65536) set -- 1024 64 32 ;;
    ideal:*) ;;
    zones:32 | zones:512) set -- 4 $(($1 / 4)) ;;
    zones:*) set -- 32 $(($1 / 32)) ;;
    *)
        echo "servers.sh: no cluster of the fabric $fabric with $1 servers" >&2
        exit 2
        ;;
    esac
    case $fabric in
    ramp)
        printf '{"fabric":"ramp","ramp":{"communication_groups":%d,"racks_per_group":%d,"servers_per_rack":%d,' "$@"
        printf '"node_bandwidth":"1.6 TB/s"},%s}' "$server"
        ;;
    packet)
        printf '{"fabric":"packet","packet":{"topology":"leaf_spine","leaves":%d,"servers_per_leaf":%d,"spines":%d,' "$@"
        printf '"server_bandwidth":"100 GB/s","uplink_bandwidth":"100 GB/s"},%s}' "$server"
        ;;
    ideal) printf '{"fabric":"ideal","ideal":{"servers":%d,"node_bandwidth":"1.6 TB/s"},%s}' "$1" "$server" ;;
    zones)
        printf '{"fabric":"zones","zones":{"inside":{"delay":"50 us","loss":0,"bandwidth":"100 Gb/s"},'
        printf '"between":{"delay":"1 ms","loss":1e-6,"bandwidth":"400 Gb/s"},"zones":['
        for ((z = 0; z < $1; z++)); do
            printf '%s{"name":"z%d","servers":%d}' "$([ "$z" -eq 0 ] || echo ,)" "$z" "$2"
        done
        printf '],"links":['
        for ((z = 1; z < $1; z++)); do
            printf '%s{"from":"z%d","to":"z%d","length":1}' "$([ "$z" -eq 1 ] || echo ,)" $((z - 1)) "$z"
        done
        printf ']},%s}' "$server"
        ;;
    esac
}

# scenario SIZE JOBS: a file with them.
scenario() {
    python3 - "$root/scenarios/pac-ml-32.json" "$(cluster "$1")" "$2" >"$work/$1-$2.json" <<'END' || exit 1
import json, sys
scenario = json.load(open(sys.argv[1]))
scenario["cluster"] = json.loads(sys.argv[2])
scenario["generator"]["count"] = int(sys.argv[3])
json.dump(scenario, sys.stdout)
END
}

# spent PROGRAM RULE SIZE JOBS: processor time of one run in us.
spent() {
    local times
    times=$({ TIMEFORMAT='%3U %3S' && time "$1" run "$work/$3-$4.json" --policy "$root/scripts/$2.lua" --hash \
        >"$work/out" 2>"$work/err"; } 2>&1) || { cat "$work/err" >&2; return 1; }
    awk -v t="$times" 'BEGIN { split(t, p, " "); printf "%d\n", (p[1] + p[2]) * 1e6 + 0.5 }'
}

# cost PROGRAM RULE SIZE: us a job.
cost() {
    local few=$((jobs / 10)) least_few= least_all= i t
    for ((i = 0; i < repeats; i++)); do
        t=$(spent "$1" "$2" "$3" "$few") || return 1
        [ -n "$least_few" ] && [ "$least_few" -le "$t" ] || least_few=$t
        t=$(spent "$1" "$2" "$3" "$jobs") || return 1
        [ -n "$least_all" ] && [ "$least_all" -le "$t" ] || least_all=$t
    done
    awk -v a="$least_all" -v f="$least_few" -v n="$((jobs - few))" 'BEGIN { printf "%.1f\n", (a - f) / n }'
}

sizes=(32 512 4096 65536)
for size in "${sizes[@]}"; do
    scenario "$size" "$jobs"
    scenario "$size" $((jobs / 10))
done
printf 'fabric %s, %d jobs; us of processor time a job, by servers\n' "$fabric" "$jobs"
printf '%-20s' rule
printf '%10s' "${sizes[@]}" ratio
printf '\n'
for rule in "${rules[@]}"; do
    for program in "${programs[@]}"; do
        printf '%-20s' "$rule"
        row=()
        for size in "${sizes[@]}"; do
            t=$(cost "$program" "$rule" "$size") || t=-
            row+=("$t")
            printf '%10s' "$t"
        done
        awk -v a="${row[0]}" -v b="${row[3]}" 'BEGIN {
            if (a + 0 > 0 && b + 0 > 0) printf "%10.1f\n", b / a; else printf "%10s\n", "-" }'
    done
done

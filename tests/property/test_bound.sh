#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Random scenarios and shipped rules, published and corrected: no rule loses less than `bound` says
# for policies of its kind. BOUND_RUNS says how many scenarios are tried (6 unless stated), and
# BOUND_SEED with which the search begins. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
tmp=$(mktemp -d "${TMPDIR:-/tmp}/bound-search.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
runs=${BOUND_RUNS:-6} first=${BOUND_SEED:-1}
failed=0 tried=0 refused=0 compared=0
RULES='at_once:max_parallelism at_once:min_parallelism at_once:no_parallelism at_once:acceptable_jct at_once:meets_deadline
at_once:greedy_throughput at_once:least_fragmenting waiting:edf waiting:sjf waiting:fit_first preempting:srpt preempting:fewest_late
preempting:las_preempt anything:random'

# A scenario of a number: fabric, models, load, limits, steps and options are drawn.
scenario() { # NUMBER
    # numbers of our own: each awk draws others
    awk -v seed="$1" 'function draw() { state = state * 16807 % 2147483647; return state / 2147483647 }
    function pick(list, n, part) { n = split(list, part, " "); return part[int(draw() * n) + 1] }
    BEGIN { state = seed * 7919 + 1; for (i = 0; i < 5; i++) draw()
        semantics = pick("published corrected")
        ramp = pick("ramp ramp ideal")
        n = split("alexnet vgg16 squeezenet1_0 resnet18", zoo, " ")
        graphs = int(draw() * 3) + 1
        printf "{ \"lightpath\": 1, \"name\": \"drawn\", \"seed\": %d, \"semantics\": \"%s\", \"cluster\": { \"fabric\": \"%s\", ", seed, semantics, ramp
        if (ramp == "ramp") {
            g = pick("1 2 4"); r = pick("1 2 4")
            if (g < r) g = r
            printf "\"ramp\": { \"communication_groups\": %d, \"racks_per_group\": %d, \"servers_per_rack\": %d }", g, r, pick("1 2 3")
        } else
            printf "\"ideal\": { \"servers\": %d, \"node_bandwidth\": \"%s\" }", pick("2 4 8 12"), pick("100_GB/s 1.6_TB/s")
        printf ", \"server\": { \"device\": \"A100\", \"memory\": \"80 GB\" } }, \"graphs\": ["
        for (i = 1; i <= graphs; i++) { id = zoo[int(draw() * n) + 1] i; name = substr(id, 1, length(id) - 1)
            printf "%s { \"id\": \"%s\", \"zoo\": \"%s\", \"batch\": %d }", (i > 1 ? "," : ""), id, name, pick("32 128"); ids = ids (i > 1 ? ", " : "") "\"" id "\"" }
        steps = pick("50 50 { 7")
        printf " ], \"generator\": { \"count\": %d, \"graphs\": [ %s ], \"load\": %s, \"interarrival\": \"%s\", \"steps\": %s, ", pick("5 10 20"), ids, pick("0.3 0.9 2 5"), pick("exponential fixed"),
            steps == "{" ? "{ \"uniform\": { \"min\": 5, \"max\": 400, \"decimals\": 0 } }" : steps
        printf "\"max_jct_fraction\": { \"uniform\": { \"min\": %s, \"max\": 1, \"decimals\": 2 } } }, ", pick("0.05 0.1 0.5")
        printf "\"partition\": { \"max_degree\": %d%s } ", pick("2 4 8 16"), semantics == "corrected" ? ", \"kind\": \"" pick("model data tensor") "\"" : ""
        if (draw() < 0.5) printf ", \"options\": { \"%s\": \"%s\" } ", pick("deadline cache reserve mask horizon memory shapes circuits"), pick("published corrected")
        printf "}\n" }' | sed 's/_\([GT]B\)/ \1/' >s.json
}

# 35: a linear program that is not solved from the basis before it; 508: jobs that are late, and count as served.
for number in $(seq "$first" $((first + runs - 1))) $([ -n "${BOUND_RUNS:-}" ] || echo 35 508); do
    scenario "$number"
    tried=$((tried + 1))
    if ! "$lightpath" bound s.json --json >bound.json 2>err; then
        refused=$((refused + 1))
        grep -q 'no bound is known\|^lightpath: s.json:[0-9:]* \|^s.json:[0-9:]* ' err || # options that contradict each other, too
            { echo "not ok scenario $number: $(head -n 1 err)" && failed=1; }
        continue
    fi
    for rule in $RULES; do
        "$lightpath" run s.json --policy "${rule#*:}" --json >run.json 2>err
        # not served by its true deadline: late ones count as served in other rates (Q17)
        rate=$(awk '/"outcome":/ { jobs++ }
            /"outcome":"completed"/ {
                match($0, /"jct":[0-9.e+-]*/); jct = substr($0, RSTART + 6, RLENGTH - 6)
                match($0, /"max_jct":[0-9.e+-]*/); most = substr($0, RSTART + 10, RLENGTH - 10)
                served += most == "" || jct + 0 <= most * (1 + 1e-9) }
            END { if (jobs > 0) printf "%.12g", 1 - served / jobs }' run.json)
        least=$(sed -n "s/.*\"bound\":\"${rule%:*}\".*\"lost_at_least\":\([0-9.e-]*\).*/\1/p" bound.json)
        [ -n "$rate" ] && [ -n "$least" ] || continue
        compared=$((compared + 1))
        awk -v rate="$rate" -v least="$least" 'BEGIN { exit !(rate + 1e-9 >= least) }' && continue
        echo "not ok scenario $number: ${rule#*:} loses $rate, ${rule%:*} says at least $least"
        [ -n "${BOUND_KEEP:-}" ] && cp s.json "$BOUND_KEEP/$number.json"
        failed=1
    done
done
[ "$failed" -eq 0 ] && [ "$compared" -gt $((tried * 4)) ] && echo "ok no rule below its bound: $compared runs in $tried scenarios, $refused without a bound" || { echo "not ok the search: $compared runs in $tried scenarios, $refused without a bound"; failed=1; }
exit $failed

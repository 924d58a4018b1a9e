#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `lightpath bound` from outside: no rule goes below it, and what it does not cover is refused with
# a reason. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-bound.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  out: /' out | cut -c1-300 | tail -n 12
        sed 's/^/  err: /' err | head -n 12
        echo "not ok $2"
        failed=1
    fi
}

# jobs that are lost in a run, late ones too
lost() { grep -o '"blocking_rate":[0-9.e-]*\|"unserved_rate":[0-9.e-]*' run.json | tail -n 1 | cut -d: -f2; }
bound_of() { sed -n "s/.*\"bound\":\"$1\".*\"lost_at_least\":\([0-9.e-]*\).*/\1/p" out; }

for semantics in published corrected; do
    "$lightpath" experiment pac-ml --zoo --print --betas B --until '4e4 s' --set semantics=$semantics \
        --set options.deadline=corrected >s.json 2>err
    for seed in 1 2; do
        "$lightpath" bound s.json --seed $seed --json >out 2>err
        result $? "a bound of $semantics rules, seed $seed"
        for rule in at_once:max_parallelism at_once:least_fragmenting at_once:meets_deadline at_once:sip_ml \
            waiting:edf waiting:sjf preempting:fewest_late preempting:srpt anything:random preempting:las_preempt; do
            "$lightpath" run s.json --seed $seed --policy "${rule#*:}.lua" --json >run.json 2>err
            rate=$(lost) least=$(bound_of "${rule%:*}")
            echo "${rule#*:} loses $rate, at least $least by ${rule%:*}" >>out
            awk -v rate="$rate" -v least="$least" 'BEGIN { exit !(rate != "" && least != "" && rate + 1e-9 >= least) }'
            result $? "$semantics, seed $seed: ${rule#*:} is not below the bound"
        done
    done
done

# the clairvoyant rollout: a run that somebody who knows the arrivals can make
rollout() { sed -n "s/.*\"rollout\":{.*\"$1\":\"*\([a-z0-9.e-]*\).*/\1/p" out; }
for semantics in published corrected; do
    "$lightpath" experiment pac-ml --zoo --print --betas B --until '3e4 s' --set semantics=$semantics >s.json 2>err
    "$lightpath" run s.json --seed 3 --policy pac_ml_queue --json >run.json 2>err
    alone=$(lost)
    "$lightpath" bound s.json --seed 3 --rollout --json >out 2>err
    result $? "a rollout of $semantics rules"
    least=$(bound_of "$(rollout bound_of)") most=$(rollout lost) network=$(rollout network_lost)
    echo "at least $least, rollout $most, network $network, its run $alone" >>out
    awk -v a="$least" -v b="$most" -v c="$network" -v d="$alone" 'BEGIN { exit !(a != "" && b > 0 && a <= b && b < c && c == d) }'
    result $? "$semantics: bound <= rollout < the network's own run, as it is outside"
    "$lightpath" bound s.json --seed 3 --rollout --horizon 4 --json >out 2>err && [ "$(rollout network_lost)" = "$network" ] &&
        awk -v b="$(rollout lost)" -v c="$network" 'BEGIN { exit !(b != "" && b <= c) }'
    result $? "$semantics: a short look is not worse than the network either"
done
"$lightpath" bound s.json --seed 3 --rollout >out 2>err && grep -q 'so the least possible lies between 0\.[0-9]* (preempting) and 0\.[0-9]*\.$' out
result $? 'the rollout for people'
"$lightpath" bound s.json --rollout --policy srpt >out 2>err
[ $? -eq 2 ] && [ ! -s out ] && grep -q 'a rollout needs a network that lets jobs wait: expected --policy pac_ml_queue' err
result $? 'a policy without such a network is refused'
"$lightpath" bound s.json --rollout --policy pac_ml >out 2>err
[ $? -eq 2 ] && grep -q 'a rollout needs a network that lets jobs wait' err
result $? 'one that answers once, too'
"$lightpath" bound s.json --horizon 4 >out 2>err
[ $? -eq 2 ] && grep -q -- '--horizon is for --rollout' err
result $? 'a horizon without a rollout is refused'

"$lightpath" experiment pac-ml --zoo --agents max,fewest-late --betas BD --seeds 1,2 --until '4e4 s' --bound >out 2>err
[ "$(grep -c '^  gap to bound' out)" -eq 2 ] && [ "$(grep -c '^bound, ' out)" -eq 4 ] && grep -q '^  gap to bound .* at_once$' out &&
    grep -q '^  gap to bound .* waiting$' out && ! grep '^  gap to bound.* -' out
result $? 'experiment --bound: a gap for what each agent did, none below 0'
"$lightpath" experiment pac-ml --zoo --agents max --betas B --seeds 1 --until '4e4 s' --bound --json >out 2>err &&
    grep -q '"bound_of":"at_once","bound":[0-9.e-]*,"gap":[0-9.]' out
result $? 'experiment --bound --json: bound and gap'
"$lightpath" experiment pac-ml --zoo --study load --agents k4,fewest-late --seeds 1 --until '2000 s' --bound --json >load.json 2>err &&
    [ "$(grep -o '"gap":[0-9]' load.json | wc -l)" -eq "$(grep -o '"agent":"k4","beta":"A","interarrival":[0-9]*,"bandwidth":[0-9]*,"fabric":"[a-z]*","blocking_rate":{' load.json | wc -l | awk '{ print 2 * $1 }')" ] &&
    "$lightpath" experiment pac-ml --from load.json >out 2>err && grep -q 'bound: none here can be below' out
result $? 'experiment --study load --bound: the gap of each mean, and the bound as a curve'

"$lightpath" bound s.json >out 2>err && grep -q 'preempting *0\.[0-9]* ' out
result $? 'a table for people'
"$lightpath" bound s.json --set cluster.fabric=packet >out 2>err
[ $? -eq 2 ] && grep -q 'no bound is known where jobs share links' err
result $? 'links that are shared are refused'

# published rules keep the JCT of the first job of a graph and degree: jobs of other lengths have it, too
drawn='generator.steps={"uniform":{"min":5,"max":400,"decimals":0}}'
"$lightpath" experiment pac-ml --zoo --print --betas B --until '4e4 s' --set semantics=published >p.json 2>err
"$lightpath" bound p.json --set "$drawn" >out 2>err
[ $? -eq 2 ] && [ ! -s out ] && grep -q 'no bound is known where the option cache is published and jobs of one graph differ in their steps' err
result $? 'drawn steps under the published cache are refused'
"$lightpath" bound p.json --set "$drawn" --set options.cache=corrected >out 2>err
result $? 'but not where steps are kept by all of their inputs'
"$lightpath" bound p.json --set semantics=corrected --set 'failures={"server":{"fails":{"exponential":{"mean":"20 min"}},"repair":{"fixed":"1 min"}}}' >out 2>err
[ $? -eq 2 ] && grep -q 'no bound is known where servers break (failures)' err
result $? 'servers that break are refused'
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `lightpath experiment` from outside: options, formats and messages, on models of the zoo. Needs
# $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-experiment.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
unset LIGHTPATH_PROFILES
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  out: /' out | cut -c1-200 | head -n 12
        sed 's/^/  err: /' err | head -n 12
        echo "not ok $2"
        failed=1
    fi
}
run() {
    "$lightpath" experiment "$@" >out 2>err
    status=$?
}
# bad NAME MESSAGE ARGS...
bad() {
    local name=$1 message=$2
    shift 2
    run "$@"
    [ $status -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$message" err
    result $? "$name"
}

few="--seeds 1..2 --until 5e4"
run pac-ml $few --agents max,k4 --agents min
[ $status -eq 0 ] && [ ! -s err ] && grep -q '^No profiles were given' out && grep -q '^k4 ' out && ! grep -q '(0\.2' out
result $? 'a table without profiles says so and shows no published number'
run pac-ml --print --betas A --set queue_capacity=3 --set options.deadline=corrected
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 1 ] && grep -q '"queue_capacity":3' out && grep -q '"deadline":"corrected"' out &&
    cp out printed.json && "$lightpath" run printed.json --until 2e4 --policy edf --hash >with 2>err &&
    run pac-ml --print --betas A && cp out printed.json &&
    "$lightpath" run printed.json --until 2e4 --policy edf --set queue_capacity=3 --set options.deadline=corrected --hash >out 2>err && cmp -s out with
result $? 'the printed scenario has the overrides'
bad 'an override that cannot be printed' '--set' pac-ml --print --set 'jobs[3].steps=1'
# under published rules what was waited is forgotten; edf.lua waits, max does not
run pac-ml --seeds 1 --until 2e5 --betas A --agents max --agents edf.lua
[ $status -eq 0 ] && [ "$(grep -c '^! by true deadlines .* compare this one$' out)" -eq 1 ] && grep -qF '(Q17)' out && grep -q '^edf.lua .* ! .* queue$' out &&
    awk '$1 == "edf.lua" && !x { x = $2 } /^! by true deadlines/ { y = $5 } END { exit !(y > x && x > 0) }' out
result $? 'an agent that lets jobs in too late is told so, with its rate by true deadlines'
run pac-ml --seeds 1 --until 2e5 --betas A --agents edf.lua --set options.deadline=corrected
[ $status -eq 0 ] && ! grep -q '^!' out
result $? 'by true deadlines nobody is let in too late'
run pac-ml --seeds 1 --until 2e5 --betas A --agents max,edf --json
[ $status -eq 0 ] && grep -q '"agent":"edf".*"lost_rate":0.*"late":[1-9][0-9]*,' out && grep -q '"late_jobs_count_as_served":true,"outside_training":null,"does":\[[a-z",]*"queue"\]' out &&
    grep -q '"late_jobs_count_as_served":false,"outside_training":null,"does":\[[a-z",]*\]' out
result $? 'JSON marks it and says what agents did'
run pac-ml --seeds 1 --until 2e5 --betas A --agents max,edf --csv
[ $status -eq 0 ] && head -n 1 out | grep -q ',unserved_rate,lost_rate,.*,late$' && awk -F, '$2 ~ /edf/ { late = $NF } $2 ~ /max/ { max = $NF } END { exit !(late > 0 && max == 0) }' out
result $? 'CSV has late jobs'
"$lightpath" compare printed.json --until 2e5 --seeds 1,2 --policy max_parallelism --policy edf >out 2>err
grep -q '^! edf.*: [0-9.]* % .* not served by the true deadlines$' out && ! grep -q '^! max' out && grep -q '^! There jobs ended' out
result $? 'compare marks it, too'
"$lightpath" compare printed.json --until 2e5 --seeds 1,2 --policy max_parallelism --policy edf --json >out 2>err
grep -q '"late":[1-9][0-9]*,"lost_rate":0' out && grep -q '"late_jobs_count_as_served":true' out && "$lightpath" run printed.json --policy edf --until 2e5 >out 2>err &&
    grep -q '^! late .* by true deadlines' out
result $? 'and its JSON, and a run'
# --- rules by capability, a search, what a network is like ------------------------------------------------
run pac-ml --seeds 1 --until 1e5 --betas D --agents all
[ $status -eq 0 ] && grep -q '^blocking rate .* does$' out && grep -q '^prefer8 .* place$' out && [ "$(grep -c ' queue' out)" -ge 6 ]
result $? 'all rules, by what they do'
run pac-ml --seeds 1,2 --until 1e4 --betas D --agents k1 --tune
[ $status -eq 0 ] && grep -q '^tuned ' out && grep -q '^  D  *[a-z_]*\.lua.*, lost there 0\.[0-9]*, of [1-9][0-9]*$' out &&
    awk '$1 == "k1" && !x { x = $2 } $1 == "tuned" && !y { y = $2 } END { exit !(y != "" && y < x) }' out
result $? 'a search over rules and parameters is an agent'
cp out first
run pac-ml --seeds 1,2 --until 1e4 --betas D --agents k1 --tune --threads 1
cmp -s out first
result $? 'and comes to the same with any threads'
run pac-ml --seeds 1 --until 1e5 --betas A --agents pac_ml.lua
[ $status -eq 0 ] && grep -q '^  decides as .* %  *nearest rule, share of equal decisions$' out
result $? 'a network is told which rule it decides like'
run pac-ml --seeds 1 --until 1e5 --betas A --agents pac_ml_queue.lua --agents pac_ml_queue.lua:weights=scripts/pac_ml_queue.json
[ $status -eq 0 ] && ! grep -q '^  decides as ' out && grep '^pac_ml_queue' out | awk '{ print $2 }' | paste - - | awk '{ pairs += $1 == $2 } END { exit pairs != NR || NR != 5 }'
result $? 'a network that orders the queue is like no rule that answers at once; its file may be a parameter'
bad 'no search over loads' '--tune is for the studies' pac-ml --study load --tune
run pac-ml $few --study load --agents max,min
[ $status -eq 0 ] && grep -q 'between arrivals' out && grep -q 'a max  b min' out && grep -q '^12000 s ' out && grep -q '^Blocks least: ' out
result $? 'curves by load'
run pac-ml $few --study load --agents max,min --plot --ascii
[ $status -eq 0 ] && ! grep -q '^12000 s ' out && ! LC_ALL=C grep -q '[^ -~]' out && [ "$(wc -L <out)" -le 100 ]
result $? 'the curves alone, in ASCII'
cp out first
run pac-ml $few --study load --agents max,min --json
cp out load.json
run pac-ml --from load.json --ascii
[ $status -eq 0 ] && cmp -s out first
result $? 'an earlier result draws the same curves'
run pac-ml $few --study metric --agents k1,max --plot --ascii
[ $status -eq 0 ] && [ "$(grep -n 'by time between arrivals' out | cut -d: -f2 | cut -c1-8 | tr '\n' ,)" = 'blocking,mean JCT,' ] &&
    tail -n 1 out | grep -q 'the agent with the best mean JCT\|The agent with the best mean JCT blocks most'
result $? 'blocking above mean JCT, and what that says'
run pac-ml --seeds 1 --until 2e4 --study metric --csv
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 43 ] && [ "$(head -n 1 out)" = 'study,agent,beta,interarrival,bandwidth,fabric,seed,blocking_rate,unserved_rate,lost_rate,mean_jct,offered_throughput,cluster_throughput,late' ]
result $? 'one line per run as CSV'
run pac-ml --seeds 1,2 --until 2e5 --betas AD --agents max,edf --markdown unserved_rate
[ $status -eq 0 ] && [ "$(sed -n 1,2p out | tr '\n' ' ')" = '| agent | A | D | |---|---|---| ' ] && [ "$(wc -l <out)" -eq 4 ] && grep -qE '^\| `max` \| \.[0-9]{4} ± \.[0-9]{4} \| \.[0-9]{4} ± ' out && grep -q '^| `edf` .* ! |$' out
result $? 'one metric as a Markdown table, late jobs marked'
run pac-ml --seeds 1 --until 4e4 --betas B --agents max --bound --markdown lost_rate
[ $status -eq 0 ] && grep -q '^| bound `at_once` | \.[0-9]* |$' out
result $? 'with the bounds'
run pac-ml --seeds 1 --until 2e4 --study metric --agents max --markdown mean_jct
[ $status -eq 0 ] && grep -q '^| agent | 50 s | .* | 12000 s |$' out && grep -qE '^\| `max` \| [0-9.]+ \|' out
result $? 'times, without an interval of one seed'
run pac-ml $few --study ideal --betas BD --agents k4 --json
[ $status -eq 0 ] && [ "$(grep -c '"seed":' out)" -eq 4 ] && grep -q '"models":"zoo"' out && grep -q '"fabric":"ideal"' out
result $? 'everything as JSON'
cp out first
run pac-ml $few --study ideal --betas BD --agents k4 --json --threads 1
cmp -s out first
result $? 'threads do not change the bytes'
printf 'return { name = "one", api = 1, partition = function() return 1, "one" end }\n' >one.lua
run pac-ml $few --betas A --agents one.lua --agents k1
[ $status -eq 0 ] && [ "$(grep '^one.lua' out | head -n 1 | cut -c26-)" = "$(grep '^k1' out | head -n 1 | cut -c26-)" ]
result $? 'a policy of its own'
run pac-ml --print --betas C
"$lightpath" check - <out >out2 2>err && "$lightpath" run - --until 10 --hash <out >out2 2>err && [ "$(wc -c <out2)" -eq 17 ]
result $? 'the scenario that is run can be printed'

echo '[]' >bad.json
"$lightpath" experiment pac-ml --seeds 1 --until 1e4 --agents max --betas A --json >table.json
bad 'an unknown experiment' 'there is no experiment "rwa"; expected pac-ml' rwa
bad 'an unknown study' 'there is no study "x"; expected table, ideal, load or metric' pac-ml --study x
bad 'an unknown agent' 'there is no agent "gold"; expected all, max' pac-ml --agents gold
bad 'unknown distributions' 'the distributions are "E"; expected some of A, B, C and D' pac-ml --betas E
bad 'a folder that is not there' "cannot read the profiles' folder /nowhere" pac-ml --profiles /nowhere
bad 'a folder without profiles' 'expected the five PipeDream profiles' pac-ml --profiles .
bad 'a policy that is not there' 'none.lua' pac-ml --agents none.lua --seeds 1
bad 'an unknown metric' '--markdown: there is no metric "x"; expected blocking_rate, unserved_rate' pac-ml --markdown x
bad 'Markdown as JSON' '--markdown is one table' pac-ml --markdown lost_rate --json
bad 'two formats' '--json and --csv exclude each other' pac-ml --json --csv
bad 'curves of a table' '--plot is for the studies load and metric' pac-ml --plot
bad 'curves as JSON' '--plot is for the studies load and metric' pac-ml --study load --plot --json
bad 'an earlier result and a study' '--from draws an earlier result' pac-ml --from x --study load
bad 'an earlier result that is not there' 'gone.json' pac-ml --from gone.json
bad 'an earlier result that is none' 'expected an object' pac-ml --from bad.json
bad 'an earlier result without an axis' 'without an axis of loads' pac-ml --from table.json
bad 'two sources' '--zoo and --profiles exclude each other' pac-ml --zoo --profiles .
LIGHTPATH_PROFILES=/nowhere run pac-ml --seeds 1
[ $status -eq 2 ] && grep -q '/nowhere' err
result $? 'profiles by the environment'
LIGHTPATH_PROFILES=/nowhere run pac-ml --zoo --seeds 1 --until 1e4 --agents max
[ $status -eq 0 ]
result $? 'the zoo in spite of it'
exit $failed

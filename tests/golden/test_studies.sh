#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A study as one file: killed at any moment it goes on where it was, and its file and results are, byte
# for byte, those of a study that nobody disturbed; what is damaged is made again; a file of anything
# else is refused, naming what differs. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-studies.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
cp -r "$root/scenarios/pac-ml-32.json" scenario.json
mkdir policies
cp "$root"/scripts/{random,meets_deadline}.lua policies
RANDOM=${CASES_SEED:-7}

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  err: /' err | head -n 20
        echo "not ok $2"
        failed=1
    fi
}

few=(--set generator.count=30)
sweep=(sweep scenario.json "${few[@]}" --vary generator.load=0.4,0.9 --policy policies/random.lua --policy srpt.lua --seeds 1..15)
compare=(compare scenario.json "${few[@]}" --policy random.lua --policy srpt.lua --seeds 1..3)
tournament=(tournament scenario.json "${few[@]}" --policies policies --seeds 1..6)

# --- nobody disturbs it ------------------------------------------------------------------------------
for work in sweep compare tournament; do
    declare -n words=$work
    for form in --text --json --csv; do
        "$lightpath" "${words[@]}" ${form/--text/} >"$work$form" 2>err </dev/null || result 1 "$work $form"
    done
    "$lightpath" "${words[@]}" --out "$work" --json >out 2>err </dev/null && cmp -s out "$work--json"
    result $? "$work --out prints what it prints without"
    for form in --text --csv; do
        cp "$work" before
        "$lightpath" "${words[@]}" --resume "$work" ${form/--text/} >out 2>err </dev/null && cmp -s out "$work$form" && cmp -s before "$work"
        result $? "$work $form of a file that is whole"
    done
    "$lightpath" merge "$work" --json >out 2>err && cmp -s out "$work--json"
    result $? "$work: its file is a part that merge reads"
done

# what the engine does is told by LP_LOG: of runs that are there nothing is
LP_LOG=sim "$lightpath" "${compare[@]}" >out 2>err && [ -s err ] && LP_LOG=sim "$lightpath" "${compare[@]}" --resume compare >out 2>err && [ ! -s err ]
result $? "runs that are there are not made again"
head -n 3 compare >cut && LP_LOG=sim "$lightpath" "${compare[@]}" --resume cut >out 2>err && [ -s err ]
result $? "... and those that are not are"

# --- killed ------------------------------------------------------------------------------------------
# kill_it FILE THREADS: starts the sweep, and kills it once a few more runs are in the file
kill_it() {
    local lines=0 more=$((RANDOM % 9)) child
    [ -e "$1" ] && lines=$(wc -l <"$1")
    "$lightpath" "${sweep[@]}" --resume "$1" --threads "$2" >out 2>err </dev/null &
    child=$!
    while kill -0 $child 2>/dev/null && [ "$(wc -l 2>/dev/null <"$1" || echo 0)" -lt $((lines + more)) ]; do sleep 0.01; done
    kill -KILL $child 2>/dev/null
    wait $child 2>/dev/null
}
for threads in 1 2; do
    for ((i = 0; i < 10; i++)); do
        kill_it killed $threads
        # and now and then as a disk leaves it behind that lost what came last
        [ $((RANDOM % 3)) -eq 0 ] && [ "$(wc -l <killed)" -gt 2 ] && truncate -s -$((RANDOM % 99 + 1)) killed
    done 2>/dev/null
    "$lightpath" "${sweep[@]}" --resume killed --threads $threads --json >out 2>err </dev/null
    [ $? -eq 0 ] && cmp -s out sweep--json && cmp -s killed sweep
    result $? "killed ten times, with $threads threads: the same results and the same file"
    rm -f killed
done
# Ctrl-C: what is done is told, and what is not
"$lightpath" "${sweep[@]}" --out stopped --threads 1 --json >out 2>err </dev/null &
child=$!
until [ "$(wc -l 2>/dev/null <stopped || echo 0)" -gt 3 ]; do kill -0 $child 2>/dev/null || break; done 2>/dev/null
kill -TERM $child
wait $child
code=$?
{ [ $code -eq 143 ] && grep -q '"complete":false' out && grep -q -- '--resume stopped goes on' err; } || { [ $code -eq 0 ] && cmp -s out sweep--json; }
result $? "SIGTERM: the runs that were done, and how to go on"
"$lightpath" merge --partial stopped >out 2>err && { [ $code -eq 0 ] || grep -Eq '^not complete: [0-9]+ of 60 runs$' out; }
result $? "merge --partial says of how many runs the table is"
"$lightpath" "${sweep[@]}" --resume stopped --csv >out 2>err && cmp -s out sweep--csv && cmp -s stopped sweep
result $? "and it goes on"

# --- full disk ---------------------------------------------------------------------------------------
(trap '' XFSZ && ulimit -f 40 && "$lightpath" "${sweep[@]}" --out full >out 2>err </dev/null)
[ $? -eq 1 ] && grep -q 'cannot write full: File too large' err && [ "$(wc -l <full)" -gt 2 ]
result $? "a full disk ends it, and what was done stays"
"$lightpath" "${sweep[@]}" --resume full --json >out 2>err </dev/null && cmp -s out sweep--json && cmp -s full sweep
result $? "and with room it goes on"
# room for all runs, but not for the file a second time
(trap '' XFSZ && ulimit -f 1 && "$lightpath" "${sweep[@]}" --out none >out 2>err </dev/null)
[ $? -ne 0 ] && [ "$(wc -l 2>/dev/null <none || echo 0)" -le 1 ]
result $? "a disk without room for a line of its head or a run"

# --- damage ------------------------------------------------------------------------------------------
lines=$(wc -l <sweep)
for ((i = 0; i < 8; i++)); do
    cp sweep hurt
    line=$((RANDOM % (lines - 1) + 2))
    case $((i % 4)) in
    0) sed -i "${line}s/[0-9]/x/" hurt ;;
    1) head -c $(($(head -n 1 sweep | wc -c) + RANDOM % ($(wc -c <sweep) - $(head -n 1 sweep | wc -c)))) sweep >hurt ;;
    2) sed -i "${line}d" hurt ;;
    3) printf '\0\0\0' | dd of=hurt bs=1 seek=$(($(head -n 1 sweep | wc -c) + 1000 * (RANDOM % 40))) conv=notrunc status=none ;;
    esac
    "$lightpath" "${sweep[@]}" --resume hurt --json >out 2>err </dev/null && cmp -s out sweep--json && cmp -s hurt sweep || break
done
result $((i < 8)) "damaged, cut or missing lines are made again"
"$lightpath" merge hurt >out 2>err || result 1 "merge of a file that was mended"
sed '1s/"seeds"/"seed "/' sweep >hurt
cp hurt before
"$lightpath" "${sweep[@]}" --resume hurt >out 2>err
[ $? -eq 2 ] && [ ! -s out ] && grep -q '^hurt:1:' err && cmp -s hurt before
result $? "a damaged head is refused, and the file stays"
: >empty
"$lightpath" "${sweep[@]}" --resume empty >out 2>err && cmp -s empty sweep
result $? "an empty file is begun"

# --- other inputs ------------------------------------------------------------------------------------
# refused NAME WORDS COMMAND...: exit 2, nothing on stdout, one line on stderr with these words
refused() {
    local name=$1 words=$2
    shift 2
    cp sweep before
    "$lightpath" "$@" >out 2>err </dev/null
    [ $? -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$words" err && cmp -s sweep before
    result $? "$name"
}
refused "--out of a file that is there" "sweep is there already: --resume sweep goes on with it" "${sweep[@]}" --out sweep
refused "--out and --resume" "expected one of them" "${sweep[@]}" --out a --resume a
refused "other seeds" "sweep is of another study: the seeds differ" "${sweep[@]}" --resume sweep --seeds 1..16
refused "other --set" "the options --set differ" "${sweep[@]}" --resume sweep --set generator.count=31
refused "other values" "the options --vary, or the points of the experiment, differ" sweep scenario.json "${few[@]}" --vary generator.load=0.4,0.8 \
    --policy policies/random.lua --policy srpt.lua --seeds 1..15 --resume sweep
refused "another command" "the commands differ" "${tournament[@]}" --resume sweep
refused "a shard" "sweep has shard 1/1, not 2/3" "${sweep[@]}" --shard 2/3 --resume sweep
refused "what is no study" "scenario.json" "${sweep[@]}" --resume scenario.json
cp policies/random.lua kept
echo '-- edited' >>policies/random.lua
refused "a policy that was edited" "(policies/random.lua)" "${sweep[@]}" --resume sweep
cp kept policies/random.lua
cp scenario.json kept
sed -i 's/"racks_per_group": *4/"racks_per_group": 2/' scenario.json
refused "a scenario that was edited" "had other contents (scenario.json)" "${sweep[@]}" --resume sweep
cp kept scenario.json

# --- one policy, and the published experiment ----------------------------------------------------------
many=(run scenario.json "${few[@]}" --policy srpt.lua --seeds 1..6)
"$lightpath" "${many[@]}" --json >one 2>err && "$lightpath" "${many[@]}" --out many --json >out 2>err && cmp -s one out &&
    head -n 4 many >cut && "$lightpath" "${many[@]}" --resume cut --json >out 2>err && cmp -s one out && cmp -s many cut
result $? "run --seeds: cut off, it goes on"
"$lightpath" run scenario.json "${few[@]}" --policy srpt.lua --seed 4 --hash >hash 2>err && grep -q "\"seed\":4,\"hash\":\"$(cat hash)\"" one
result $? "its runs are those of run --seed"
refused "run --seeds with what tells of one run" "such as --seed, --trace" "${many[@]}" --hash
refused "run --out of one run" "expected --seeds" run scenario.json --out x
unset LIGHTPATH_PROFILES
experiment=(experiment pac-ml --seeds 1..2 --until 2e4 --agents max,edf,las,first-fit --betas AD)
for form in --text --json --csv; do
    "$lightpath" "${experiment[@]}" ${form/--text/} >"experiment$form" 2>err </dev/null || result 1 "experiment $form"
done
"$lightpath" "${experiment[@]}" --out experiment --json >out 2>err && cmp -s out experiment--json
result $? "experiment --out prints what it prints without"
head -n 7 experiment >cut
for form in --text --json --csv; do
    "$lightpath" "${experiment[@]}" --resume cut ${form/--text/} >out 2>err && cmp -s out "experiment$form" && cmp -s cut experiment
    result $? "experiment $form: cut off, it goes on"
done
for i in 1 2 3; do "$lightpath" "${experiment[@]}" --shard $i/3 --out share.$i >out 2>err || result 1 "share $i"; done
"$lightpath" merge share.* --out joined 2>err && cmp -s joined experiment
result $? "shares of an experiment are joined to its file"
refused "an experiment is told by its own command" "give the command again with --resume" merge share.*
refused "an experiment with another --set" "experiment is of another study: the options --set differ" "${experiment[@]}" --set queue_capacity=3 --resume experiment

# --- shards ------------------------------------------------------------------------------------------
for i in 1 2 3; do
    "$lightpath" "${sweep[@]}" --shard $i/3 >printed.$i 2>err </dev/null
    "$lightpath" "${sweep[@]}" --shard $i/3 --resume part.$i >out 2>err </dev/null && [ ! -s out ] && cmp -s part.$i printed.$i
    result $? "shard $i/3 in a file is what it prints"
done
head -c $(($(wc -c <part.2) / 2)) printed.2 >part.2
rm part.3
[ "$("$lightpath" merge --missing part.* 2>err)" = 2,3 ]
result $? "merge --missing: a shard that is cut off, and one that is not there"
for i in 2 3; do "$lightpath" "${sweep[@]}" --shard $i/3 --resume part.$i >out 2>err </dev/null; done
[ -z "$("$lightpath" merge --missing part.* 2>err)" ] && "$lightpath" merge part.* --json >out 2>err && cmp -s out sweep--json
result $? "they are made again, and all are joined"
gzip -k part.1 && "$lightpath" merge part.1.gz part.[23] --json >out 2>err && cmp -s out sweep--json
result $? "a part that gzip packed"

exit $failed

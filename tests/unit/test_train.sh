#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `lightpath train` and `run --values` from outside: the file of the learning curve, what is refused,
# and the table of value estimates. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-train.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
scenario=$root/scenarios/pac-ml-32.json

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
lp() {
    "$lightpath" "$@" >out 2>err </dev/null
    status=$?
}
# bad NAME MESSAGE ARGS...: exit 2, nothing on stdout, one line with the message on stderr
bad() {
    local name=$1 message=$2
    shift 2
    lp "$@"
    [ $status -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$message" err
    result $? "$name"
}
few="--until 5e3 --threads 1 --param envs=4 --param rollout=32 --param eval_episodes=1 --param eval_every=2 --param checkpoint_every=2"

# shellcheck disable=SC2086  # options are words
{
    lp train "$scenario" $few --steps 512 --out W.json --curve c.jsonl
    [ $status -eq 0 ] && [ "$(wc -l <out)" -eq 4 ] && cmp -s out c.jsonl
    result $? 'the curve is printed and kept'
    lp train "$scenario" $few --steps 512 --out W.json --curve c.jsonl
    [ $status -eq 0 ] && cmp -s out c.jsonl
    result $? 'another training begins the file anew'
    printf '{"update": 9' >>c.jsonl
    lp train "$scenario" $few --steps 1024 --out W.json --curve c.jsonl --resume
    [ $status -eq 0 ] && [ "$(wc -l <c.jsonl)" -eq 9 ] && [ "$(tail -n 4 c.jsonl)" = "$(cat out)" ]
    result $? 'one that goes on adds to it, after half a line as well'
    cp c.jsonl before
    bad 'a scenario that is none leaves the curve alone' 'nowhere.json' train nowhere.json --out W.json --curve c.jsonl
    cmp -s c.jsonl before
    result $? '... as it was'
    cp "$scenario" s.json
    bad 'the scenario is no file for the curve' 'expected a file of its own' train s.json --out W.json --curve s.json
    bad 'nor is the network' 'expected a file of its own' train "$scenario" --out W.json --curve W.json
    bad 'a folder that is not there' 'cannot write nowhere/c' train "$scenario" --out W.json --curve nowhere/c
    bad 'evolution has no leaning' 'start: the algorithm evolve does not heed it' train "$scenario" --algo evolve --param start=4 --out W.json
    bad 'nor does looking ahead clip' 'clip: the algorithm lookahead does not heed it' train "$scenario" --algo lookahead --param clip=.1 --out W.json
    grep -q '"settings": "steps=[0-9]* encoding=pac-ml place=engine gamma=0.995 .* until=5000"' W.json && grep -q '"simulated": [1-9][0-9]*,' W.json &&
        ! grep -q 'sigma=' W.json
    result $? 'the file of a network has the settings that were heeded, and the decisions that were simulated'
    bad 'a screen without a terminal' '--live needs a terminal' train "$scenario" --out W.json --live
    bad 'a theme without a screen' 'are for --live' train "$scenario" --out W.json --theme light
}
bad 'a network to begin as, with ppo' '--from is for --algo evolve' train "$scenario" --from E.json --out W.json
evolve=(--algo evolve --param pairs=1 --param eval_episodes=1 --set generator.count=20)
lp train "$scenario" "${evolve[@]}" --steps 1 --threads 1 --out E.json
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 1 ] && grep -q 'decisions; the best network had a reward' err && grep -q '"update": 1' out
result $? 'evolution learns once at least, however few steps it is given'
lp train "$scenario" "${evolve[@]}" --steps 1 --threads 1 --out E.json --resume
[ $status -eq 0 ] && [ ! -s out ] && grep -q 'has learnt from as many decisions already: expected more --steps' err
result $? '... and says so when it has learnt as much already'
lp train "$scenario" "${evolve[@]}" --param rate=1e-8 --param sigma=1e-6 --steps 1 --threads 1 --seed 5 --out F.json --from E.json
tensors() { sed -n '/"tensors"/,$p' "$1"; }
[ $status -eq 0 ] && cmp -s <(tensors E.json) <(tensors F.json) && grep -q '"seed": 5' F.json
result $? 'evolution begins as the network of a file, and keeps it where nothing is better'
lp train "$scenario" "${evolve[@]}" --param hidden=9 --steps 1 --threads 1 --out F.json --from E.json
[ $status -eq 2 ] && grep -q 'E.json is of another encoding, size or choice of placements' err
result $? '... of the same size'
lp train "$scenario" --until 5e3 --threads 1 --param envs=4 --param rollout=32 --steps 512 --out W.json --curve /dev/full
[ $status -eq 2 ] && grep -q 'cannot write /dev/full: is a device' err
result $? 'a curve is no device'

lp run "$scenario" --policy pac_ml --hash
cp out hash
lp run "$scenario" --policy pac_ml --hash --values v.csv
[ $status -eq 0 ] && cmp -s out hash && [ "$(head -n 1 v.csv)" = 'decision,time,job,graph,degree,value,q' ] &&
    [ "$(wc -l <v.csv)" -eq 301 ] && ! grep -q nan v.csv
result $? 'a value per decision, and the same run'
cp v.csv first
lp run "$scenario" --policy pac_ml --values v.csv
cmp -s v.csv first
result $? '... the same bytes again'
bad 'a policy without a network' 'the policy has no network' run "$scenario" --values v.csv
exit $failed

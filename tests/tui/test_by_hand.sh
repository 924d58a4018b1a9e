#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Decisions by hand: what is chosen by keys is what words of a fork say and what the exported policy
# does, in every stage and on every kind of fabric; what cannot be is refused, and nothing is lost.
# Needs $LIGHTPATH.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=$(realpath "${LIGHTPATH:-build/release/lightpath}")
[ -x "$program" ] || { echo "skip by hand: there is no program $program" && exit 0; }
work=$(mktemp -d "${TMPDIR:-/tmp}/hand.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
root=$PWD
cd "$work" || exit 1
failed=0

verdict() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok by hand: $1"
    else
        sed 's/^/  /' "$work/screen" "$work/err" 2>/dev/null | head -n 44
        echo "not ok by hand: $1"
        failed=1
    fi
}

# play SCENARIO LINE...: the last screen is in `screen`, a line per key or command; SET: an override
play() {
    local scenario=$1
    shift
    printf '%s\n' "$@" >script
    "$program" "$root/scenarios/$scenario.json" ${SET:+--set "$SET"} --keys script --no-autosave --size 110x40 \
        --save-screen screen >err 2>&1 </dev/null
}

# hash SCENARIO LINE...: of the state after these lines
hash_after() {
    play "$@" about && sed -n 's/.*hash  *\([0-9a-f]\{16\}\).*/\1/p' screen
}

# same NAME SCENARIO MOMENT WORDS END KEY...: the keys at the moment are the fork of these words, and the
# policy that X writes gets there, too
same() {
    local name=$1 scenario=$2 at=$3 words=$4 end=$5 by_keys by_words
    shift 5
    by_words=$(hash_after "$scenario" "seek $at" "fork $words" "seek $end")
    by_keys=$(hash_after "$scenario" "seek $at" "$@" "do take" "seek $end")
    [ -n "$by_words" ] && [ "$by_keys" = "$by_words" ] && [ "$by_words" != "$(hash_after "$scenario" "seek $end")" ]
    verdict "$name: keys are the words $words" $? # and the moment is one that they change
    rm -f by-hand.lua
    play "$scenario" "seek $at" "$@" "do take" "seek $end" "do as-policy"
    grep -q "run from the start it does the same" screen
    verdict "$name: and so is the policy" $?
}

# refused NAME SENTENCE SCENARIO LINE...: the last screen says so, and there is one branch only
refused() {
    local name=$1 sentence=$2
    shift 2
    play "$@"
    grep -qF "$sentence" screen || grep -qF "$sentence" err
    verdict "$name: says why" $?
    play "$@" branches 2>/dev/null || true
    ! grep -q "└" <(sed -n '/TIME LINE/,$p' screen)
    verdict "$name: no branch" $?
}

# ---- every stage, by rows and by the cursor ----

same "split" five-decisions d0 degree=4 "16 s" "do up" "do up"
same "split, single ops" five-decisions d0 "degree=4 ways=2:2/3:8" "16 s" "do up 2" "do right" "do down" "do left" \
    "do down" "do right"
same "split, a plan" transformers d1 "tensor=2 pipeline=2 data=2 recompute=selective sequence=true" "2000 s" "do right" \
    "do down 2" "do right"
same "place, a row" five-decisions d1 servers=0,2,4,6 "26 s" "do stage" "do down"
same "place, servers" five-decisions d1 servers=2,3,4,5 "26 s" "do stage" "do right" "do play" "do right" "do play" \
    "do right" "do right" "do right" "do play" "do right" "do play"
same "ops, a rule" five-decisions d2 order_ops=critical_path "46 s" "do stage" "do stage" "do down"
same "ops, carried" five-decisions d2 order_ops=srpt:4 "46 s" "do stage" "do stage" "do right" "do right" "do right" \
    "do right" "do play" "do left" "do left"
same "ops, one first" five-decisions d2 order_ops=srpt:5b "46 s" "do stage 2" "do down" "do down" "do down" "do down"
same "flows, one first" five-decisions d4 order_flows=srpt:9b-5b "86 s" "do stage-back" "do down" "do down" "do down" \
    "do down" "do down"
same "circuits, a row" five-decisions d3 circuits=1:0,3:0 "66 s" "do stage 3" "do down"
same "circuits, a server" five-decisions d3 circuits=1:0 "66 s" "do stage 3" "do right" "do right" "do play"
same "flows, a rule" five-decisions d4 order_flows=critical_path "86 s" "do stage-back" "do down"
same "flows of one path" five-decisions d4 order_flows=srpt:5-9 "86 s" "do stage-back" "do right" "do right" \
    "do right" "do right" "do play" "do left" "do left" "do left"
same "two stages at once" five-decisions d1 "servers=0,2,4,6 order_ops=fifo" "26 s" "do stage" "do down" "do stage" \
    "do down" "do down"
same "leaves" leaf-spine d3 servers=24-29 "20 s" "do stage" "do down" "do down"
same "blocks" place-ramp d0 servers=0,2,8,10 "2 s" "do stage" "do down"
same "sites" zones d4 servers=10-15 "300 s" "do stage" "do down" "do down"
same "matchings" circuits-ocs d0 circuits=0-1,1-2,2-3,3-0 "3 s" "do stage 3" "do down"
same "circuits, port by port" circuits-ocs d0 circuits=0-1,1-2,2-3,3-0 "3 s" "do stage 3" "do right" "do play" \
    "do right" "do down" "do play" "do right" "do down" "do play" "do left" "do left" "do down" "do play"
pairs=("do stage 3" "do right" "do play" "do right" "do right" "do down" "do down" "do play" "do faster" "do up" "do left"
    "do play" "do left" "do down" "do down" "do play")
same "matchings that take turns" circuits-ocs d0 circuits=0-1,2-3@1s/1-2,3-0@1s "3 s" "${pairs[@]}"
same "how long each is held" circuits-ocs d0 circuits=0-1,2-3@100ms/1-2,3-0@20ms "3 s" "${pairs[@]}" "do up" "do up" \
    "do up" "do up" "do left" "do left" "do left" "do left" "do left" "do slower" "do left" "do left" "do left"
same "a block that slides" leaf-spine d3 servers=24-29 "20 s" "do stage" "do right" "do down 2" "do left 2" \
    "do zoom-in"
same "a block with a shape" place-ramp d0 servers=3,11,19,27 "2 s" "do stage" "do right" "do right 3" "do zoom-in"
SET=cluster.pod.wiring=static same "a box that slides" pod-64 d1 origin=0,2,1 "3000 s" "do stage" "do right" \
    "do right 8" "do zoom-in"
same "cubes of a slice" pod-64 d3 cubes=22-44,47 "9000 s" "do stage" "do right" "do play" "do right 27" "do down" \
    "do play"
SET=cluster.pod.wiring=static same "a box of cubes" pod-64 d1 origin=0,2,1 "3000 s" "do stage" "do right" \
    "do right 8" "do play"
SET=cluster.pod.wiring=static same "a box, a row" pod-64 d3 origin=2,0,3 "9000 s" "do stage" "do down"
same "turns inside a step" mixtral-regional d0 phase=provisioned "100 s" "do stage 3" "do down" "do down"

# ---- the policy's bars ----

play five-decisions "seek d2" "do stage 2" "save-screen $work/own.roles"
! grep -q "^ *policy  s0" screen
verdict "the policy's order has no bars beside it" $?
play five-decisions "seek d2" "do stage 2" "do down" "save-screen $work/both.roles"
at=$(grep -n "^ *policy  s0" screen | cut -d: -f1)
[ -n "$at" ] && sed -n "$((at + 1))p" screen | grep -q "^ *66.5 ms s2" &&
    [ -z "$(sed -n "${at}p" both.roles | cut -c1-60 | tr -d " $(sed -n 's/^\([a-z]\) muted$/\1/p' both.roles | sed 's/./&\U&/')")" ]
verdict "another order has the policy's bars below it, dimmed" $?

# ---- what if, of a stage ----

# leads NAME SCENARIO MOMENT WORDS END KEY...: the row of what-if that the keys mark is the fork of these words
leads() {
    local name=$1 scenario=$2 at=$3 words=$4 end=$5 by_keys by_words
    shift 5
    by_words=$(hash_after "$scenario" "seek $at" "fork $words" "seek $end")
    by_keys=$(hash_after "$scenario" "seek $at" "$@" "do take" "seek $end")
    [ -n "$by_words" ] && [ "$by_keys" = "$by_words" ]
    verdict "what if, $name: a row is the words $words" $?
}
leads "order ops" five-decisions d2 order_ops=critical_path "46 s" "do stage" "do stage" "do whatif" "do whatif" "do down"
leads "circuits" five-decisions d3 circuits=1:0,3:0 "66 s" "do stage 3" "do whatif" "do down"
leads "a draft of two stages" five-decisions d1 "servers=0,2,4,6 order_ops=fifo" "26 s" "do stage" "do down" "do stage" \
    "do whatif" "do down" "do down"
play five-decisions "seek d2" "do stage" "do stage" "do whatif" "do whatif"
grep -q "order ops, stage 3 of 5" screen && grep -q "critical_path .* 8.22 s" screen && ! grep -q "8 ways" screen
verdict "what if of a stage has its rows only, run to the end" $?
"$program" whatif "$root/scenarios/five-decisions.json" --at d2 --stage order-ops --to-end --json >out.json 2>err
[ "$(tr -d '\n' <out.json | grep -o '"mean_jct":8.2[0-9]*' | wc -l)" = 2 ]
verdict "whatif --stage --to-end says where each row leads" $?

# Before the decision nothing was decided by hand yet: no job there may not even have come.
play zones "seek d4" "do stage" "do down" "do down" "do take" "seek 40 s" "do as-policy"
grep -q "nothing was decided by hand" screen
verdict "a policy of a moment before the decision" $?

# ---- nothing to choose ----

says() { # NAME SENTENCE SCENARIO LINE...
    local name=$1 sentence=$2
    shift 2
    play "$@" && grep -qF "$sentence" screen
    verdict "$name" $?
}
# in_full SCENARIO MOMENT END: in the narrow pane of 80x24 the sentence why goes on to its end
in_full() {
    printf 'seek %s\ndo stage 3\n' "$2" >script
    "$program" "$root/scenarios/$1.json" --keys script --no-autosave --size 80x24 --save-screen screen >err 2>&1 </dev/null
    sed -n '/ DECISION /,/ JOBS /p' screen | cut -c1-41 | grep -qE "^ +([a-z ]*: )?[a-z ]*$3 *$"
    verdict "$1: why there are no circuits to choose is said in full" $?
}
in_full leaf-spine d3 "way over links"
in_full pac-ml-32 d68 "from the servers"
in_full zones d3 "as they are"
in_full transformers d0 "each other"
in_full pod-64 d3 "switches"
in_full rigid d1 "from the servers"
says "a rigid job has no ops" "a rigid job is a number of servers and a time" rigid "seek d1" "do stage" "do stage"
says "light on ramp follows from the place" "wavelengths follow from the servers" pac-ml-32 "seek d68" "do stage 3"
says "a plan has its order" "a plan has its own order" transformers "seek d1" "do stage 2"
says "no circuits on a fabric of packets" "packets find their way" leaf-spine "seek d3" "do stage 3"

# ---- what cannot be ----

refused "too few servers" "3 of 4 servers" five-decisions "seek d1" "do stage" "do right" "do play" "do take"
refused "a server that is held" "runs there until" leaf-spine "seek d3" "do stage" "do right" "do up" "do up" \
    "do play"
refused "less than one part" "an op is in one part at least" five-decisions "seek d0" "do up 2" "do right" \
    "do left 5"
refused "the ops of a rigid job" "a rigid job is not split" rigid "seek d1" "do right"
refused "a block that does not fit" "6 servers have no room from s27 on" leaf-spine "seek d3" "do stage" "do right" \
    "do down 2" "do right" "do zoom-in"
refused "a block over a held server" "runs there until" pac-ml-32 "seek d68" "do stage" "do right" "do right" "do zoom-in"
refused "too few cubes" "23 cubes, slice 8x12x16 takes 24" pod-64 "seek d3" "do stage" "do right" "do play" "do take"
refused "a cube that is held" "cube 5: job 2 runs there until" pod-64 "seek d3" "do stage" "do right" "do up" "do play"
refused "no circuit" "no circuit is set" circuits-ocs "seek d0" "do stage 3" "do right" "do play" "do play" "do take"
refused "ports of two switches" "switch" ocs-failures "seek d0" "do stage 3" "do right" "do right 16" "do play"
refused "a hold of one matching" "stays for good" circuits-ocs "seek d0" "do stage 3" "do right" "do play" "do up" \
    "do left"
refused "an op that needs another" "it needs its result" five-decisions "seek d2" "do stage" "do stage" "do right" \
    "do right" "do play" "do left"
refused "a degree" "degree 99 is above the scenario's largest, 8" five-decisions "seek d0" "fork degree=99"
refused "servers that there are not" "server" five-decisions "seek d1" "fork servers=0,1,99"
refused "as many servers as parts" "4" five-decisions "seek d1" "fork servers=0,1"
refused "an op that there is not" 'there is no op 99: "braid" has ops 1 to 8' five-decisions "seek d2" \
    "fork order_ops=srpt:99"
refused "a rule" "expected a rule and what goes first" five-decisions "seek d2" "fork order_ops=shortest"
refused "a flow that there is not" "nothing goes by light" five-decisions "seek d4" "fork order_flows=srpt:1-2"
refused "an aggregator" "there are 8 servers and 2 aggregators" five-decisions "seek d3" "fork circuits=1:5"
refused "ports" "servers join aggregators here" five-decisions "seek d3" "fork circuits=0-1"
refused "two circuits of a port" "they take turns" circuits-ocs "seek d0" "fork circuits=0-1,2-1"
refused "circuits of ramp" "what is lit follows from the place" pac-ml-32 "seek d5" "fork circuits=0-1"
refused "turns" "no circuit turns inside a step" five-decisions "seek d0" "fork phase=provisioned"

# ---- nothing is lost ----

play five-decisions "seek d1" "do stage" "do down" "do stage" "do down" "do out" &&
    grep -q "is given up" screen
verdict "Esc gives the draft up" $?
play five-decisions "seek d1" "do stage" "do down" "do take" "do undo" && grep -q "instead of 6.62 s" screen
verdict "undo opens it again" $?
play five-decisions "seek d1" "do stage" "do down" "do unchoose" && ! grep -q "instead of" screen
verdict "a stage is given back to the policy" $?
play five-decisions "seek d0" "do right" "do down" "do left" "do out" "do up" && ! grep -q "ways=" screen
verdict "a row of stage 1 takes the ops' place" $?
play five-decisions "seek d1" "do stage" "do down" "seek d2" "do undo" && grep -q "instead of 6.62 s" screen
verdict "a draft that was left is there when one comes back" $?

exit $failed

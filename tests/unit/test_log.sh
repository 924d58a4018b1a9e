#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The debug log and the hashes on the way: what is printed on standard output, and every hash, is
# the same with them and without, on all fabrics. Needs $LIGHTPATH.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test log.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
unset LP_LOG LP_LOG_FILE
export LIGHTPATH_DATA=$root
failed=0
grep() { LC_ALL=C command grep "$@"; } # bytes: twice as fast
ok() { # ok NAME COMMAND...: passes if the command succeeds
    if "${@:2}"; then
        echo "ok $1"
    else
        echo "not ok $1"
        failed=1
    fi
}
lp() { "$lightpath" "$@" </dev/null; }
# lines FILE: are all of them of the form "TIME s ROOM what ..."?
rooms=$(lp run --help | grep -B 1 '^    :2 ' | sed -n 's/^  \([a-z]*\): .*/\1/p')
form="^(inf|[0-9][0-9.e+-]*) s ($(echo $rooms | tr ' ' '|')) [a-z]"
lines() { [ -s "$1" ] && ! grep -vE "$form" "$1"; }

ok "help names seven rooms" [ "$(echo $rooms)" = "sim place light sharing store policy slice" ]

# ---- nothing changes ----

for file in "$root"/scenarios/*.json; do
    name=${file##*/}
    few=()
    [ "$name" != ideal-loss.json ] || [ "${LP_RUNS:-}" = all ] || few=(--set generator.count=100) # of thousands, which tell the same
    lp run "$file" --json "${few[@]}" >plain 2>plain.err
    lp run "$file" --json "${few[@]}" --log all:2 >logged 2>"log.$name"
    ok "$name: the results are the same with the log" cmp plain logged
    cp "log.$name" lines
    # notes of the command itself stand beside the lines
    grep -vE "$form" lines >notes
    ok "$name: what else is told is the same" cmp plain.err notes
    ok "$name: lines have one form" grep -qE "$form" lines
done
fabrics=$(grep -ohE '"fabric": *"[a-z]+"' "$root"/scenarios/*.json | tr -d '" ' | cut -d: -f2 | sort -u)
known=$(cd "$root" && grep -ohE '^ *\.name = "[a-z]+"' engine/model/fabric/*.c | cut -d'"' -f2 | sort -u)
ok "they are scenarios of every fabric" [ -n "$known" -a "$fabrics" = "$known" ]

# ---- every room says something where there is something to say ----

says() { # says ROOM SCENARIO PATTERN
    ok "the room $1 says \"$3\" in $2" grep -qE "s $1 $3" "log.$2.json"
}
says sim pac-ml-32 'arrival job 0 '
says sim pac-ml-32 'start job [0-9]+ [^ ]+ x[0-9]+ servers [0-9 ]+ step [0-9.e-]+ s until'
says sim pac-ml-32 'completion job [0-9]+ .* after'
says sim pac-ml-32 'block job .* cause [a-z_]+: '
says sim pac-ml-32 'instant after'
says sim pod-failures 'wait job [0-9]+ .* for [a-z]+'
says sim ocs-failures 'broken [a-z]+'
says sim ocs-failures 'mended [a-z]+'
says place pac-ml-32 'found job [0-9]+ [^ ]+ .*as x[0-9]+ servers [0-9 ]+'
says place pac-ml-32 'look for [0-9]+: block '
says place pod-64 'none job [0-9]+ .* cause [a-z_]+: '
says light pac-ml-32 'take job [0-9]+ circuits [0-9]+, [0-9]+ in all'
says light ocs-failures 'port [0-9]+ of node [0-9]+ broken'
says light ocs-failures 'network [0-9]+ schedule [0-9]+ circuits'
says light ocs-failures 'unlit job [0-9]+ '
says light ocs-failures 'lit job [0-9]+ .* network [0-9]+ step'
says light ocs-failures 'port [0-9]+ to [0-9]+ (turning until|lit since)'
says sharing leaf-spine 'rates [0-9]+ of [0-9]+ flows anew'
says sharing leaf-spine 'pace job [0-9]+ '
says store pac-ml-32 'simulate step 0 '
says store pac-ml-32 'found step '
says store pac-ml-32 'partition [0-9]+ '
says policy pac-ml-32 '(decide|default) answers job 0 '
says policy optics-vs-packets '(ask|decide|default) '
says slice pod-64 'found job [0-9]+ slice .* cubes '
says slice pod-64 'none job [0-9]+ slice .* cause [a-z_]+: '
lp run pac-ml-32 --policy las_preempt.lua --set queue_capacity=20 --set generator.count=30 --log policy:2 >out 2>hooks
ok "the room policy says which hooks are asked and what they cost" \
    eval 'grep -q "policy ask decide job 0" hooks && grep -q "policy ask review " hooks && grep -q "policy cost [0-9]* instructions" hooks'

# ---- rooms and levels ----

all=log.pac-ml-32.json
for room in $rooms; do
    lp run pac-ml-32 --log "$room:2" >out 2>one
    grep -E " s $room " "$all" >wanted
    ok "--log $room:2 is that room of all:2, and no other" cmp one wanted
done
lp run pac-ml-32 --log sim >out 2>first
lp run pac-ml-32 --log sim:2 >out 2>second
grep -vE ' s sim (offer|round|stopped|instant)' second >wanted
ok "level 1 leaves offers and instants out" cmp first wanted
ok "level 1 of sim says something" [ "$(wc -l <first)" -lt "$(wc -l <second)" ]
lp run pac-ml-32 --log light,sim:2,light:2 >out 2>both
grep -E ' s (sim|light) ' "$all" >wanted
ok "rooms are listed with commas, the last level of each counts" cmp both wanted
refused() { # refused NAME WHAT COMMAND...: exit 2 with a sentence that names every room
    "${@:3}" >out 2>err
    local code=$? room
    for room in $2; do
        grep -q "$room" err || code="$code, and nothing of $room"
    done
    ok "$1" [ "$code" = 2 -a "$(wc -l <err)" = 1 -a ! -s out ]
}
refused "an unknown room is refused with the names of all" "lihgt $rooms" lp run pac-ml-32 --log sim,lihgt
refused "so is an empty one" "$rooms" lp run pac-ml-32 --log sim,
refused "so is a level that there is not" "level sim:2" lp run pac-ml-32 --log sim:3
refused "so is a level without a number" "level sim:2" lp run pac-ml-32 --log sim:
LP_LOG=lihgt refused "LP_LOG is checked by every command" "LP_LOG $rooms" env LP_LOG=lihgt "$lightpath" presets

# ---- from the environment ----

LP_LOG=sim lp run pac-ml-32 >out 2>asked
ok "LP_LOG is as --log" cmp asked first
LP_LOG=place lp run pac-ml-32 --log sim >out 2>asked
ok "--log comes before LP_LOG" cmp asked first
LP_LOG= lp run pac-ml-32 >out 2>asked
ok "an empty LP_LOG is none" [ ! -s asked ]
LP_LOG=sim LP_LOG_FILE=lines.txt lp run pac-ml-32 >out 2>asked
ok "LP_LOG_FILE takes the lines" cmp lines.txt first
ok "and standard error is free of them" [ ! -s asked ]
LP_LOG=sim LP_LOG_FILE=lines.txt lp run pac-ml-32 >out 2>asked
ok "another run is added to the file" cmp lines.txt <(cat first first)
LP_LOG=sim LP_LOG_FILE=no/such/folder lp run pac-ml-32 >out 2>asked
ok "a file that cannot be written is told of" [ "$?" = 2 -a "$(wc -l <asked)" = 1 ]
few=(--seeds 1..2 --threads 2 --set generator.count=5)
lp compare pac-ml-32 "${few[@]}" --policy edf.lua --policy sjf.lua --json >plain 2>err
LP_LOG=all:2 lp compare pac-ml-32 "${few[@]}" --policy edf.lua --policy sjf.lua --json >logged 2>asked
ok "compare: the results are the same" cmp plain logged
ok "compare: lines of its threads are whole" lines asked
keys=(--size 80x24 --save-screen)
printf 'n\nn\nn\n' >keys.txt
lp "$root/scenarios/pac-ml-32.json" --keys keys.txt "${keys[@]}" plain.txt >out 2>err
LP_LOG=sim,policy LP_LOG_FILE=screen.log lp "$root/scenarios/pac-ml-32.json" --keys keys.txt "${keys[@]}" logged.txt >out 2>err
ok "the explorer: the screen is the same" cmp plain.txt logged.txt
ok "the explorer: its lines are in the file" lines screen.log
for command in "predict zoo:alexnet --degree 4" "whatif pac-ml-32 --at d3" "explain pac-ml-32 --until 2000s"; do
    lp $command >plain 2>err
    LP_LOG=all:2 lp $command >logged 2>asked
    ok "${command%% *}: the results are the same" cmp plain logged
    ok "${command%% *}: the log has lines" grep -qE "$form" asked
done

# ---- names that a terminal must not see ----

sed 's/"alexnet"/"a\\u001b[31m\\nb"/' "$root/scenarios/leaf-spine.json" >evil.json
lp run evil.json --log all:2 >out 2>asked
ok "a name cannot act on a terminal" eval 'grep -qF "a\x1b[31m\nb" asked && ! grep -q "$(printf "\033")" asked'
ok "nor begin a line of its own" lines asked

# ---- hashes on the way ----

lp run pac-ml-32 --hash >hash
lp run pac-ml-32 --hash --hash-each 100 >out 2>each
ok "--hash-each leaves the hash as it is" cmp hash out
ok "its last line has the hash of the end" [ "$(tail -n 1 each | sed 's/.* hash //')" = "$(cat hash)" ]
ok "its lines are event, time, hash" eval '! grep -vE "^event [0-9]+ t [0-9][0-9.e+]* s hash [0-9a-f]{16}$" each'
lp run pac-ml-32 --hash-each 100 >out 2>again
ok "they are the same twice" cmp each again
events=$(tail -n 1 each | cut -d' ' -f2)
ok "there is one for every 100 events, and one at the end" \
    [ "$events" -gt 200 -a "$(wc -l <each)" = "$((events / 100 + 1))" ]
lp run pac-ml-32 --hash-each 1 >out 2>every
ok "those of every 100 events are among those of every event" [ -z "$(grep -vxFf every each)" ]
ok "hashes differ from event to event" [ "$(sed 's/.* //' every | sort -u | wc -l)" -gt 200 ]
lp run pac-ml-32 --seed 7 --hash-each 1 >out 2>other
ok "another seed has others from the beginning" [ "$(head -n 1 other)" != "$(head -n 1 every)" ]
lp run pac-ml-32 --hash-each 100 --blame >out 2>err
ok "--blame and --hash-each exclude each other" [ "$?" = 2 -a "$(wc -l <err)" = 1 ]

# ---- the manual ----

for room in $rooms; do
    ok "the manual has the room $room" grep -qE "^\.It Li $room\$" "$root/docs/lightpath.1"
done
exit "$failed"

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing is lost, from outside: what commands may write over, a full disk for each of them, what is
# printed when somebody ends them. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test files.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
unset LIGHTPATH_PROFILES
export XDG_STATE_HOME=$tmp/state
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  out: /' out | cut -c1-200 | head -n 8
        sed 's/^/  err: /' err | head -n 8
        echo "not ok $2"
        failed=1
    fi
}
lp() {
    "$lightpath" "$@" >out 2>err </dev/null
    status=$?
}
no_parts() { ! find . -name '.lightpath-*' | grep -q .; }

scenario=s.json
cp -r "$root/scenarios/graphs" . && cp "$root/scenarios/ideal-loss.json" $scenario
cp "$root/scripts/acceptable_jct.lua" p.lua
mkdir league && cp p.lua league/a.lua && cp "$root/scripts/max_parallelism.lua" league/b.lua
small="--set generator.count=6"
lp compare $scenario $small --policy p.lua --policy league/b.lua --seeds 1..2 --shard 1/2 && cp out part1
lp compare $scenario $small --policy p.lua --policy league/b.lua --seeds 1..2 --shard 2/2 && cp out part2
lp run $scenario $small --json && cp out result.json
printf ':write saved.session\nn*3\n' >keys
lp $scenario $small --keys keys
[ $status -eq 0 ] && [ -s part2 ] && [ -s saved.session ]
result $? "there is something to work on"

# --- standard output on a full disk ----------------------------------------------------------------
reason="lightpath: cannot write standard output: No space left on device"
while read -r words; do
    # shellcheck disable=SC2086  # words are words
    printf '\n\nq\n' | timeout 60 "$lightpath" $words >/dev/full 2>err
    [ "${PIPESTATUS[1]}" -eq 1 ] && [ "$(tail -n 1 err)" = "$reason" ]
    result $? "full: $words"
done <<END
run $scenario $small
run $scenario $small --json
run $scenario $small --csv
run $scenario $small --hash
run $scenario $small --explain
run $scenario $small --blame
predict zoo:alexnet --degree 2
predict zoo:alexnet --degree 2 --json
check $scenario
import pipedream graphs/two-ops.txt
policy list
policy list --json
policy api
policy api --format luacats
policy check p.lua
policy new mine -o -
whatif $scenario $small
whatif $scenario $small --json
explain $scenario $small --job 1
explain $scenario $small --job 1 --json
compare $scenario $small --policy p.lua --policy league/b.lua --seeds 1..2
compare $scenario $small --policy p.lua --policy league/b.lua --seeds 1..2 --csv
compare $scenario $small --policy p.lua --policy league/b.lua --seeds 1..2 --json
compare $scenario $small --policy p.lua --policy league/b.lua --seeds 1..2 --shard 1/2
sweep $scenario $small --policy p.lua --vary cluster.ideal.servers=2,4 --seeds 1
tournament $scenario $small --policies league --seeds 1..2
tournament $scenario $small --policies league --seeds 1..2 --csv
merge part1 part2
reproduce result.json
replay saved.session
replay saved.session --verify --json
env $scenario --features
train $scenario $small --steps 64 --param envs=2 --param rollout=16 --threads 1 --out full.json
experiment pac-ml --zoo --seeds 1 --until 2e4 --agents max
lesson
lesson 1 --handout
presets
presets --json
turns preset=opus_pp4
turns preset=opus_pp4 --json
completions bash
keys
keys --man
paths
schema scenario
help
help run
run --help
--version
$scenario $small --plain
$scenario $small --save-screen -
END

# --- files on a full disk --------------------------------------------------------------------------
limited() {
    (trap '' XFSZ && ulimit -f 1 && "$lightpath" "$@" >out 2>err </dev/null)
    status=$?
}
while IFS='|' read -r file words; do
    echo "precious" >before
    [ -e "$file" ] && cp "$file" before
    # shellcheck disable=SC2086
    limited $words
    [ $status -eq 1 ] && grep -q "cannot write $file: File too large" err && no_parts &&
        { [ ! -e "$file" ] || cmp -s "$file" before; }
    result $? "full: a file of $words"
done <<END
t.trace|run $scenario --set generator.count=60 --trace t.trace
t.series|run $scenario --set generator.count=600 --series t.series
t.curves|run $scenario --set generator.count=600 --curves t.curves
t.flows|predict zoo:gnmt --degree 8 --trace t.flows
t.svg|$scenario --save-screen t.svg
t.cast|$scenario --save-screen screen --cast t.cast
t.lua|policy new mine -o t.lua
w.json|train $scenario $small --steps 64 --param envs=2 --param rollout=16 --threads 1 --out w.json
END
{ echo ":record t.record"; for i in $(seq 200); do echo ":set motion=off"; done; } >keys
limited $scenario --keys keys
[ $status -eq 1 ] && [ "$(grep -c 'cannot write t.record: File too large' err)" -eq 1 ] &&
    [ "$(stat -c %s t.record)" -le 1024 ] && [ "$(tail -n 1 t.record)" = "set motion=off" ]
result $? "full: a record ends with a whole line, the program with 1"
printf ':write t.session\nn*40\n' >keys
limited $scenario --keys keys
[ $status -eq 1 ] && grep -q "cannot write t.session: File too large" err
result $? "full: a session"

# --- what may be written over ----------------------------------------------------------------------
train="train $scenario $small --steps 64 --param envs=2 --param rollout=16 --threads 1"
sums() { find . -type f ! -name out ! -name err -print0 | sort -z | xargs -0 cksum; }
cp $scenario precious.json
ln -s precious.json link
mkdir folder
mkfifo fifo
for target in precious.json p.lua saved.session link folder fifo /dev/null /dev/full none/w.json; do
    before=$(sums)
    # shellcheck disable=SC2086
    lp $train --out "$target"
    [ $status -eq 2 ] && grep -q "cannot write $target: " err && [ "$before" = "$(sums)" ]
    result $? "train leaves $target alone"
done
cmp -s precious.json $scenario && [ -L link ] && cmp -s p.lua "$root/scripts/acceptable_jct.lua" && [ -p fifo ] && no_parts
result $? "... as they were"
# shellcheck disable=SC2086
lp $train --out net.json
[ $status -eq 0 ] && [ -s net.json ] && [ -s net.json.checkpoint ]
result $? "a network is written"
chmod 640 net.json
# shellcheck disable=SC2086
lp $train --seed 2 --out net.json
[ $status -eq 0 ] && [ "$(stat -c %a net.json)" = 640 ] && no_parts
result $? "a network replaces a network, which keeps its permissions"
cp $scenario other.checkpoint
# shellcheck disable=SC2086
lp $train --out other
[ $status -eq 2 ] && cmp -s other.checkpoint $scenario && [ ! -e other ] && grep -q "other.checkpoint: it is there and is no network" err
result $? "nor does a checkpoint replace anything else"
while IFS='|' read -r name words; do
    cp $scenario target
    # shellcheck disable=SC2086
    lp $words
    [ $status -ne 0 ] && cmp -s target $scenario && grep -q "cannot write target: it is there and is no" err && no_parts
    result $? "$name replaces no scenario"
done <<END
a cast|$scenario --save-screen screen --cast target
a curve|$train --out net.json --curve target
END
for command in record write; do
    printf ':%s target\n' $command >keys
    lp $scenario --keys keys
    [ $status -eq 1 ] && cmp -s target $scenario && grep -q "cannot write target: it is there and is no" err
    result $? ":$command replaces no scenario"
done
for option in "run $scenario --trace -" "run $scenario --series -" "predict zoo:alexnet --degree 2 --trace -"; do
    # shellcheck disable=SC2086
    lp $option
    [ $status -eq 2 ] && grep -q "standard output has the results already: expected the name of a file" err && [ ! -e ./- ]
    result $? "no file called -: $option"
done
lp run $scenario $small --trace /dev/stdout
[ $status -eq 1 ] && grep -q "cannot write /dev/stdout: is a" err
result $? "standard output by another name"

# What a command reads, or what took long to get, gives way to no picture or table.
lp import pipedream graphs/two-ops.txt -o own.json
head -n 3 <<'END' >curve
{"update": 1, "steps": 8192, "reward": -0.1}
END
printf 'n\n' >keys
for target in graphs/two-ops.txt own.json part1 curve; do
    for words in "run $scenario $small --trace" "run $scenario $small --series" "$scenario --save-screen" \
        "predict zoo:alexnet --degree 2 --trace"; do
        cp "$target" before
        # shellcheck disable=SC2086
        lp $words "$target"
        [ $status -eq 1 ] && grep -q "cannot write $target: it is there and is a" err && cmp -s "$target" before
        result $? "$target gives way to no output of $words"
    done
done
for target in graphs/two-ops.txt part1 $scenario; do
    cp "$target" before
    lp import pipedream graphs/two-ops.txt -o "$target"
    [ $status -ne 0 ] && cmp -s "$target" before
    result $? "import replaces no $target"
done
lp import pipedream graphs/two-ops.txt -o own.json
result $status "import replaces a profile of lightpath's own"
cp keys before
lp $scenario --keys keys --save-screen keys
[ $status -eq 2 ] && grep -q "keys is read and written" err && cmp -s keys before
result $? "no screen replaces the script of keys that is played"
printf 'n\nsave-screen keys\n' >keys && cp keys before
lp $scenario --keys keys
[ $status -ne 0 ] && grep -q "keys is read and written" err && cmp -s keys before
result $? "... nor does :save-screen"
while IFS='|' read -r options words; do
    rm -f twice
    # shellcheck disable=SC2086
    lp $words
    [ $status -eq 2 ] && grep -q -e "$options both name .*twice: expected a file for each" err && [ ! -e twice ]
    result $? "two outputs are not written over each other: $options"
done <<END
--trace and --series|run $scenario $small --trace twice --series graphs/../twice
--cast and --save-screen|$scenario --save-screen ./twice --cast twice
END
# shellcheck disable=SC2086
lp $train --out net.json --curve ./net.json.checkpoint
[ $status -eq 2 ] && grep -q "expected a file of its own" err
result $? "nor a learning curve over the checkpoint"
timeout 60 "$lightpath" run $scenario --set generator.count=300000 --series none/t.series >out 2>err </dev/null
[ $? -eq 1 ] && grep -q "cannot write none/t.series: No such file" err && [ ! -s out ]
result $? "what cannot be written is said before the run, not after it"

# --- ended from outside ----------------------------------------------------------------------------
program=$(readlink -f "$lightpath")
# Does it catch SIGTERM already, and is it past the first run? (no longer the shell that starts it)
catches() {
    [ "$(readlink "/proc/$1/exe")" = "$program" ] &&
        [ $((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status") & 0x4000)) -ne 0 ]
}
# ended SIGNAL ARGUMENT...: starts it, waits until it works, ends it; its status in $status
ended() {
    local signal=$1
    shift
    "$lightpath" "$@" >out 2>err </dev/null &
    local pid=$!
    while kill -0 $pid 2>/dev/null && ! catches $pid 2>/dev/null; do
        read -rt 0.01 <> <(:) || true
    done
    read -rt "${pause:-0.1}" <> <(:) || true
    kill -"$signal" $pid
    wait $pid
    status=$?
}
long="--set generator.count=300000"
trace="--trace ended.trace"
for pair in TERM:143 INT:130 HUP:129; do
    # shellcheck disable=SC2086
    ended ${pair%:*} run $scenario $long --json $trace
    trace=
    [ $status -eq ${pair#*:} ] && tail -n 1 out | grep -q '}$' && grep -q '^"summary":{"arrived":' out && no_parts &&
        [ ! -e ended.trace ]
    result $? "${pair%:*}: run prints the results so far"
done
while IFS='|' read -r end words; do
    pause=0.4
    # shellcheck disable=SC2086
    ended TERM $words
    [ $status -eq 143 ] && [ -s out ] && tail -c 3 out | tr -d '\n' | grep -q "$end\$" && no_parts
    result $? "TERM: $words"
done <<END
}|compare $scenario --set generator.count=300 --policy p.lua --policy league/b.lua --seeds 1..4000 --json
.|compare $scenario --set generator.count=300 --policy p.lua --policy league/b.lua --seeds 1..4000 --csv
}|sweep $scenario --set generator.count=300 --policy p.lua --vary cluster.ideal.servers=2,4 --seeds 1..4000 --json
.|tournament $scenario --set generator.count=300 --policies league --seeds 1..4000 --csv
}|experiment pac-ml --zoo --seeds 1..400 --json
}|train $scenario --steps 2000000 --param envs=2 --param rollout=16 --threads 1 --out ended.json
END
# What whatif and explain have by then; on the way to a decision or a job there is nothing yet.
pause=0.1
# shellcheck disable=SC2086
ended TERM whatif $scenario $long --at d2 --to-end
[ $status -eq 143 ] && grep -q '^  wait ' out && [ "$(cat err)" = "lightpath: interrupted; alternatives that did not come to their end have no results" ]
result $? "TERM: whatif prints its table"
# shellcheck disable=SC2086
ended INT whatif $scenario $long --at d299999
[ $status -eq 130 ] && [ ! -s out ] && [ "$(cat err)" = "lightpath: interrupted on the way to the decision; there is no table" ]
result $? "INT: whatif on the way to a decision"
# shellcheck disable=SC2086
ended TERM explain $scenario $long --job 0 --json
[ $status -eq 143 ] && tail -n 1 out | grep -q '}$' && [ "$(cat err)" = "lightpath: interrupted; this is the story so far" ]
result $? "TERM: explain tells the story so far"
# shellcheck disable=SC2086
ended HUP explain $scenario $long --job 299999
[ $status -eq 129 ] && [ ! -s out ] && [ "$(cat err)" = "lightpath: interrupted before job 299999 arrived; there is no story" ]
result $? "HUP: explain before the job arrived"
pause=0 # before the first checkpoint, as a rule
# shellcheck disable=SC2086
ended TERM train $scenario --steps 2000000 --threads 1 --out early.json
[ "$([ -e early.json.checkpoint ] && echo yes)" = "$(grep -q 'stopped .*--resume goes on' err && echo yes)" ]
result $? "a training that was stopped says that it goes on where there is a checkpoint"
nohup "$lightpath" run $scenario --set generator.count=5000 --json >out 2>err </dev/null &
pid=$!
while kill -0 $pid 2>/dev/null && ! catches $pid 2>/dev/null; do read -rt 0.01 <> <(:) || true; done
kill -HUP $pid
wait $pid
[ $? -eq 0 ] && grep -q '"arrived":5000' out
result $? "a hang-up that nohup ignores stays ignored"
exit $failed

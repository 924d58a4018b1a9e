#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line from outside: options, exit codes, messages, formats, and what happens when input
# or output is hostile. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-cli.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
scenarios=$root/scenarios
two=$scenarios/two-servers.json
profile=$scenarios/graphs/two-ops.txt

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  out: /' out | cut -c1-400 | head -n 20
        sed 's/^/  err: /' err | head -n 20
        echo "not ok $2"
        failed=1
    fi
}
: >out >err
# lp ARGS...: runs the program, leaves out, err and status
lp() {
    "$lightpath" "$@" >out 2>err </dev/null
    status=$?
}
# good NAME ARGS...: exit 0 and nothing on stderr
good() {
    local name=$1
    shift
    lp "$@"
    [ $status -eq 0 ] && [ ! -s err ]
    result $? "$name"
}
# bad NAME MESSAGE ARGS...: exit 2, nothing on stdout, exactly this one line on stderr
bad() {
    local name=$1 message=$2
    shift 2
    lp "$@"
    [ $status -eq 2 ] && [ ! -s out ] && [ "$(cat err)" = "$message" ]
    result $? "$name"
}
# says NAME PART ARGUMENTS...: like bad, of a message that names places or is long
says() {
    local name=$1 part=$2
    shift 2
    lp "$@"
    [ $status -eq 2 ] && [ ! -s out ] && grep -qF "$part" err
    result $? "$name"
}
# same NAME A B
same() {
    [ "$2" = "$3" ]
    local differs=$?
    [ $differs -eq 0 ] || printf '  got:  %s\n  want: %s\n' "$2" "$3"
    result $differs "$1"
}
no_parts() { ! compgen -G "$tmp/.lightpath-*" >/dev/null && ! compgen -G "$tmp/*/.lightpath-*" >/dev/null; }

# --- help and version ------------------------------------------------------------------------------
good version --version
case $(cat out) in "lightpath "[0-9]*.[0-9]*.[0-9]*) ok=0 ;; *) ok=1 ;; esac
result $ok "version says its number"
good "help" --help
cp out help
good "help word" help
cmp -s out help
result $? "help and --help agree"
for words in "help replay" "replay --help"; do
    good "$words" $words
    grep -q "SESSION" out
    result $? "... tells of sessions"
done
# --- times far from 0 ------------------------------------------------------------------------------
# a run is the same wherever its clock begins: arrivals, failures, horizon and window move with it
clock() {
    local o=$1
    cat <<END
{ "lightpath": 1, "cluster": { "fabric": "ideal", "ideal": { "servers": 3 } },
  "graphs": [ { "id": "u", "zoo": "alexnet" } ], "partition": { "max_degree": 2 },
  "jobs": [ { "graph": "u", "steps": 50, "arrival": $((o + 3)) }, { "servers": 1, "duration": "1 us", "arrival": $o },
            { "servers": 2, "duration": "40 s", "arrival": $((o + 7)) }, { "graph": "u", "steps": 9, "arrival": $((o + 60)) } ],
  "failures": { "trace": "$((o + 20)),server,0,5\\n$((o + 30)),server,2,9" },
  "horizon": $((o + 90)), "measure": { "from": $((o + 1)), "until": $((o + 80)) } }
END
}
clock 0 >clock0.json
good "times from 0 on" run clock0.json --json
sed 's/"clock[^"]*"/"clock"/; s/"hash":"[^"]*",//; /^"complete":/d' out >clock0
for offset in 1048576 86400000 1700000000 4000000000000; do
    clock $offset >clock.json
    good "times from $offset s on" run clock.json --json
    sed 's/"clock[^"]*"/"clock"/; s/"hash":"[^"]*",//; /^"complete":/d' out >from$offset
    awk -v o=$offset 'BEGIN { RS = "[,{}]"; CONVFMT = OFMT = "%.17g" }
        { if (match($0, /^"(arrival|start|end|from|until|window_from|window_until)":[0-9]/)) { split($0, p, ":"); printf "%s:%.1f\n", p[1], p[2] - o } else print }' \
        from$offset >told
    awk 'BEGIN { RS = "[,{}]" }
        { if (match($0, /^"(arrival|start|end|from|until|window_from|window_until)":[0-9]/)) { split($0, p, ":"); printf "%s:%.1f\n", p[1], p[2] } else print }' clock0 |
        cmp -s - told
    result $? "... the scenario's times are told, and the run is that from 0 on"
done
clock 1700000000 >clock.json
good "... as text" run clock.json
grep -q "^clock       0 s is 1700000000 s of the scenario, 2023-11-14 22:13:20 UTC$" out
result $? "... with the date"
lp run clock.json --until 1700000050 --json && mv out until && lp run clock0.json --until 50 --json &&
    # moments are those of the scenario
    [ "$(grep -o '"summary".*"measure"' until | sed -E 's/"(time|end|window_from|window_until)":[0-9.e+]*//g')" = \
        "$(grep -o '"summary".*"measure"' out | sed -E 's/"(time|end|window_from|window_until)":[0-9.e+]*//g')" ]
result $? "... until a time of the scenario"
lp clock.json --at 1700000050 --size 100x30 --save-screen - && grep -q "t 60.000 s  2023-11-14 22:14:20" out
result $? "... and the explorer goes there, and shows the date"
# a double is too coarse for jobs of 1 us in the middle of a run of years
sed 's/"arrival": 60/"arrival": 1e9/; s/"horizon.*/"horizon": 1e10 }/' clock0.json >coarse.json
good "times that are too coarse" check coarse.json
grep -q "times of 1e+09 s are known to 1.1.*e-07 s only, and the shortest job takes 1e-06 s" out
result $? "... are told by check"
lp run coarse.json && grep -q "known to 1.1.*e-07 s only" err
result $? "... and by run"
good "times that are fine enough" check clock.json
! grep -q "only" out
result $? "... without a word"

# --- steps that are drawn -----------------------------------------------------------------------------
steps() { printf '{"lightpath":1,"graphs":[{"id":"a","zoo":"alexnet"}],"generator":{"count":200,"load":0.1,"steps":%s}}' "$1" >steps.json; }
for drawn in '{"exponential":{"mean":2}}' '{"exponential":{"mean":0.01}}' '{"choice":[{"exponential":{"mean":3}},4]}'; do
    steps "$drawn"
    good "steps $drawn" run steps.json --json
    ! grep -qE '"steps":(0|[0-9]*\.)' out && [ "$(grep -c '"steps":[1-9]' out)" -eq 200 ]
    result $? "... whole, at least 1"
    mv out once && lp run steps.json --json && cmp -s out once
    result $? "... the same in each run"
done
steps '{"uniform":{"min":0,"max":3}}'
lp run steps.json
[ $status -eq 2 ] && grep -q "generator.steps may draw 0 training steps: expected a min of 1 or more" err
result $? "steps that may be 0 are refused for what they draw"
steps '{"pmf":{"0":0.5,"3":0.5}}'
lp run steps.json
[ $status -eq 2 ] && grep -q "generator.steps may draw 0 training steps: expected values from 1" err
result $? "... and where a value is 0"

# of one seed no verdict; of several one with its interval
pair="--policy meets_deadline.lua --policy least_fragmenting.lua --set generator.count=20"
# shellcheck disable=SC2086  # words are words
good "a comparison on one seed" compare pac-ml-32 $pair --seeds 7
grep -q "one seed, no verdict: .*--seeds" out && ! grep -qE "of it\)|half width|±" out
result $? "... has no verdict, and says how to have one"
# shellcheck disable=SC2086
good "a comparison on three seeds" compare pac-ml-32 $pair --seeds 7..9
! grep -q "no verdict" out && grep -qE "not served .*±" out
result $? "... has differences with intervals"
bad "a scenario is no session" \
    "lightpath: $two is no session: expected a file that :write made" replay "$two"
lp pac-ml-32 --at d9 --fork degree=8 --save-screen - --size 100x30
[ $status -eq 0 ] && grep -q "d9 degree=8" out
result $? "the explorer opens at a moment, forked"
lp pac-ml-32 --at "2 s" --save-screen - --size 100x30
[ $status -eq 0 ] && grep -q "job 7 of 300" out
result $? "... and at a time"
lp pac-ml-32 --at d9000 --save-screen -
[ $status -eq 2 ] && grep -q "there is no decision 9000: the run ended" err
result $? "a moment beyond the end"
lp pac-ml-32 --at x --save-screen -
[ $status -eq 2 ] && grep -q "is no moment: expected d57" err
result $? "no moment"
lp pac-ml-32 --fork degre=8 --save-screen -
[ $status -eq 2 ] && grep -q "did you mean degree" err
result $? "a fork with a wrong word"
undocumented=
for command in run predict check import policy; do
    good "help of $command" $command --help
    cp out one
    good "help $command" help $command
    cmp -s one out
    result $? "both ways to ask for help on $command agree"
    cat one >>help
done
awk 'length > 80 { exit 1 }' help
result $? "help fits 80 columns"
for option in $(grep -oE '^  (-o, )?--[a-z-]+' help | grep -oE -- '--[a-z-]+' | sort -u); do
    case $option in --version | --help) continue ;; esac
    grep -qE -- "Fl (o , Fl )?-${option#--}( |$)" "$root/docs/lightpath.1" || undocumented+=" $option"
done
same "the manual has every option" "$undocumented" ""
# synopsis COMMAND: the options that its lines of the manual's SYNOPSIS name, with those that they refer to
synopsis() {
    awk -v command="$1" '
        /^\.Sh SYNOPSIS/ { on = 1 }
        /^\.Sh DESCRIPTION/ { exit }
        on && $1 == ".Nm" { own = 0 }
        on && $1 == ".Cm" { own = $2 == command }
        own { gsub(/Fl o /, "Fl -output "); print }
        own && /session-options/ {
            print "Fl -policy Fl -param Fl -seed Fl -until Fl -set Fl -max-input Fl -max-memory"
        }' "$root/docs/lightpath.1" | grep -oE 'Fl -[a-z-]+' | sed 's/Fl -/--/'
    case $1 in sweep | tournament) synopsis compare ;; esac
}
lp --help
for command in $(sed -n '/^Commands:/,/^Options:/s/^  \([a-z][a-z]*\) .*/\1/p' out | grep -vx help); do
    grep -qE "^\.Cm $command( |\$)" "$root/docs/lightpath.1"
    result $? "the manual's synopsis has the command $command"
    lp "$command" --help
    missing=$(grep -oE '^  (-o, )?--[a-z-]+' out | grep -oE -- '--[a-z-]+' | grep -vx -- --help | sort -u |
        comm -23 - <(synopsis "$command" | sort -u) | tr '\n' ' ')
    same "the synopsis of $command has every option" "$missing" ""
done
for model in $(sed -n '/built-in model:/{n;p}' help | tr -d ',.'); do
    good "built-in $model" predict "zoo:$model" --degree 1 --fabric ideal:8
done

# --- pictures without colours ---
for picture in svg html ansi; do
    good "a $picture without colours" "$root/scenarios/pac-ml-32.json" --no-color --save-screen "plain.$picture" --keys /dev/null
done
# the paper and the ink, and no third one
same "no colours in a picture" "$(cat plain.svg plain.html | grep -oE '#[0-9a-f]{6}' | sort -u | wc -l)" 2
same "no colours in text for terminals" "$(grep -c '38;5;' plain.ansi)" 0

# --- wrong words and options -----------------------------------------------------------------------
bad "no scenario" "lightpath: lightpath run expects SCENARIO (see lightpath run --help)" run
bad "two scenarios" 'lightpath: unexpected word "b": lightpath run expects SCENARIO' run a b
bad "unknown option" "lightpath: unknown option --jsn, did you mean --json (see lightpath run --help)" \
    run --jsn x
bad "unknown option of the explorer" \
    "lightpath: unknown option --asci, did you mean --ascii (see lightpath --help)" --asci
bad "unknown command" \
    'lightpath: "rnu" is neither a command nor a scenario, did you mean run (see lightpath --help)' rnu
bad "help on what is not there" 'lightpath: there is no command "x" (see lightpath --help)' help x
bad "value missing" "lightpath: --seed needs a value: expected --seed N (see lightpath run --help)" \
    run "$two" --seed
bad "an option is no value" \
    "lightpath: --seed needs a value: expected --seed N (see lightpath run --help)" run "$two" --seed --json
bad "value not wanted" "lightpath: --json takes no value" run "$two" --json=1
bad "two formats" "lightpath: --json and --csv exclude each other" run "$two" --json --csv
bad "negative seed" "lightpath: --seed -1: expected a whole number from 0 to 2^64 - 1" \
    run "$two" --seed -1
bad "seed too large" \
    "lightpath: --seed 18446744073709551616: expected a whole number from 0 to 2^64 - 1" \
    run "$two" --seed 18446744073709551616
bad "until now" "lightpath: --until 0: expected more than 0" run "$two" --until 0
bad "until never" "lightpath: --until nan: \"nan\" is not a number: expected a time such as \"50 ns\" \
(ps, ns, us, ms, s, min, h, d; bare: s)" run "$two" --until nan
bad "size in seconds" "lightpath: --max-input 1s: \"1s\" is a time: expected an amount of data such as \
\"80 GB\" (B or bits b with k, M, G, T, P, E; KiB, MiB, GiB, TiB; bare: B)" run "$two" --max-input 1s
bad "terminal codes are shown, not sent" \
    'lightpath: unknown option --\x1b[31m (see lightpath run --help)' run $'--\e[31m' x
good "options before and after, both forms, last one counts" \
    run --seed=7 "$two" --seed 9 --hash
cp out nine
good "-- ends the options" run --seed 9 --hash -- "$two"
cmp -s out nine
result $? "... and means the same"

# --- hostile input ---------------------------------------------------------------------------------
mkdir folder
mkfifo fifo
echo '{' >cut.json
printf 'node1 -- x -- y\n' >cut.txt
printf '\0\0\0\0' >zeros.json
bad "missing scenario" "nope.json: No such file or directory" run nope.json
says "missing scenario by name" "nope: there is neither such a file nor such a scenario in " run nope
says "unknown model" "unknown zoo model 'nothing', expected one of alexnet, " predict zoo:nothing
says "unknown model, all that there are" "; with --parallel decoder, gpt-2, " predict zoo:nothing
says "near a transformer" "unknown zoo model 'llama-3-8', did you mean 'llama-3-8b'?" predict zoo:llama-3-8
bad "folder" "folder: is a folder, expected a regular file" run folder
bad "FIFO" "fifo: is a FIFO, expected a regular file" run fifo
bad "device" "/dev/zero: is a device, expected a regular file" run /dev/zero
bad "cut JSON" "cut.json:2:1: the text ends here, expected a key in double quotes" run cut.json
bad "too large" "cut.json: the file has 2 B, limit 1 B (--max-input)" run cut.json --max-input 1
bad "empty standard input" "standard input:1:1: the text ends here, expected a number, a text in \
double quotes, true, false, null, [ or {" run -
lp run zeros.json
[ $status -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^zeros.json:1:1: ' err
result $? "NUL bytes"
bad "--set without a value" "lightpath: --set foo: expected PATH=VALUE, such as \
cluster.ramp.node_bandwidth=3.125e9 or jobs[0].steps=3" run "$two" --set foo
lp run "$two" --set sede=3
[ $status -eq 2 ] && grep -q '^lightpath: --set sede=3: unknown key "sede", expected "seed"$' err
result $? "--set of an unknown key"
lp run "$two" --policy nope
[ $status -eq 2 ] && grep -q '^lightpath: there is no file "nope" (tried ' err
result $? "unknown policy"
lp run "$two" --param nope=1
[ $status -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]
result $? "unknown parameter"
lp check "$two" cut.json "$profile" fifo
[ $status -eq 2 ]
result $? "check fails if one file is bad"
same "check names the good ones" "$(cat out)" "$two: ok"$'\n'"$profile: ok"
same "check names the bad ones" "$(cat err)" "cut.json:2:1: the text ends here, expected a key in \
double quotes"$'\n'"fifo: is a FIFO, expected a regular file"
# --- devices, and what two-byte values are costed at -----------------------------------------------------
good devices devices --json
for figure in '"name":"A100","format":"fp32","peak":19500000000000,"peak_efficiency":0.7,' '"name":"M40".*"evidence":"doubtful"' \
    '"alias":"A100 80G","fp32":19500000000000,"tf32":156000000000000,"fp16":312000000000000,"bf16":312000000000000,"fp8":null,"matrix_efficiency":0.8,"units":108,'; do
    grep -q "$figure" out
    result $? "devices: $figure"
done
good "values of two bytes" run "$scenarios/zones.json" --until "1 s" --set 'graphs[0].bytes_per_value=2'
grep -qx 'values      alexnet: 2 bytes each, arithmetic at the fp32 rate of V100, not fp16 or bf16' out
result $? "... are said to be costed at the fp32 rate"
good "values of two bytes, as JSON" run "$scenarios/zones.json" --until "1 s" --set 'graphs[0].bytes_per_value=2' --json
grep -q '"hash":"[0-9a-f]*","values":\[{"graph":"alexnet","bytes":2,"arithmetic":"fp32","device":"V100"}\],$' out
result $? "... are said to be costed at the fp32 rate, as JSON"
sed 's/"zoo": *"alexnet"/&, "bytes_per_value": 2/' "$scenarios/zones.json" >narrow.json
good "a scenario with values of two bytes" check narrow.json "$scenarios/two-servers.json"
[ "$(cat out)" = "narrow.json: ok
narrow.json: values of alexnet: 2 bytes each, arithmetic at the fp32 rate of V100, not fp16 or bf16
$scenarios/two-servers.json: ok" ]
result $? "... is good, and said to be costed at the fp32 rate"
good "products in bf16, by size" run "$scenarios/zones.json" --until "1 s" --set 'graphs[0].precision=bf16' --set 'graphs[0].efficiency=size' --set 'graphs[0].device=A100'
grep -qx 'values      alexnet: 2 bytes each, products in bf16 on matrix units of A100, the rest in fp32, efficiency by size' out
result $? "... are said to be"
bad "a precision that the device has not" 'lightpath: device A100 has no rate in fp8, expected one of fp32, tf32, fp16, bf16' predict zoo:vgg16 --precision fp8
good "values of four bytes" run "$scenarios/zones.json" --until "1 s"
! grep -q '^values' out
result $? "... need no word"

good "every scenario here is good" check "$scenarios"/*.json "$scenarios"/graphs/*
bad "PipeDream profile cut short" 'cut.txt:1:15: found "y", expected forward_compute_time=NUMBER' \
    check cut.txt

# --- hostile output --------------------------------------------------------------------------------
full="lightpath: cannot write standard output: No space left on device"
ln -s "$scenarios" data # names that are words, wherever the tree lies
for words in "run data/${two##*/}" "run data/${two##*/} --json" "run data/${two##*/} --csv" "run data/${two##*/} --hash" \
    "predict data/graphs/${profile##*/}" "import pipedream data/graphs/${profile##*/}" "check data/${two##*/}" \
    --version --help "run --help"; do
    "$lightpath" $words >/dev/full 2>err
    [ $? -eq 1 ] && [ "$(cat err)" = "$full" ]
    result $? "disk full: $words"
    "$lightpath" $words >&- 2>err
    [ $? -eq 1 ] && [ "$(cat err)" = "lightpath: cannot write standard output: Bad file descriptor" ]
    result $? "stdout closed: $words"
done
lp run "$two" --trace /dev/full
[ $status -eq 1 ] && [ "$(cat err)" = "lightpath: cannot write /dev/full: is a device, expected a regular file" ]
result $? "trace into a device"
(trap '' XFSZ && ulimit -f 1 && "$lightpath" run "$two" --trace large >out 2>err)
[ $? -eq 1 ] && [ "$(cat err)" = "lightpath: cannot write large: File too large" ] && [ ! -e large ] && no_parts
result $? "disk full: trace"
lp run "$two" --trace folder
[ $status -eq 1 ] && [ ! -s out ] && no_parts
result $? "trace into a folder"
lp run "$two" --trace nowhere/trace
[ $status -eq 1 ] && [ "$(cat err)" = "lightpath: cannot write nowhere/trace: No such file or directory" ]
result $? "trace into a folder that is not there"
cp "$two" own.json
cp -r "$scenarios/graphs" graphs
lp run own.json --trace own.json
[ $status -eq 2 ] && cmp -s own.json "$two" && no_parts
result $? "a trace never replaces the scenario"
cp "$profile" own.txt
lp import pipedream own.txt -o ./own.txt
[ $status -eq 2 ] && cmp -s own.txt "$profile" && no_parts
result $? "import never replaces its input"
"$lightpath" run "$two" --trace trace >&- 2>err
[ $? -eq 1 ] && [ "$(head -c 5 trace)" = '{"t":' ]
result $? "a closed output is not taken for the trace"
"$lightpath" run "$two" --json 2>err <&- | cmp -s - <("$lightpath" run "$two" --json)
result $? "standard input closed"
(
    trap '' PIPE
    "$lightpath" run "$scenarios/pac-ml-32.json" --json 2>err
    echo $? >code
) | head -c 10 >/dev/null
[ "$(cat code)" -ne 0 ] && [ ! -s err ]
result $? "a reader that goes away is no error to speak of"

# --- run -------------------------------------------------------------------------------------------
good "JSON" run "$two" --json
cp out json
keys() { grep -oE '"[a-z_0-9]+":' | tr -d '":' | tr '\n' ' ' | sed 's/ $//'; }
job_keys="id graph arrival steps max_jct_fraction sequential_jct max_jct degree outcome cause start end \
jct step_time communication_time computation_time servers circuits ops deps partition_degree \
valid_degrees exposed_communication_time wait why preemptions moves reconfiguration_time \
circuit_wait plan first_wait overtaken slowdown rho"
same "keys of the object" "$(head -n 1 json | keys)" "lightpath scenario policy seed hash"
same "keys of a job" "$(grep -m 1 '^{"id":0' json | keys)" "$job_keys held waited resource behind policy account wait preempted computing lost"
same "keys of the summary" "$(grep '^"summary"' json | keys)" "summary arrived completed blocked \
unfinished blocking_rate unserved_rate mean_jct p50_jct p95_jct mean_jct_speedup mean_wait server_utilisation \
kernel_utilisation compute_throughput dep_throughput flow_throughput demand_throughput p99_jct longest_jct \
p50_wait p95_wait p99_wait max_wait mean_wait_all p50_wait_all p95_wait_all p99_wait_all max_wait_all still_waiting \
oldest_waiting mean_slowdown p95_slowdown max_slowdown mean_slowdown_all jain_slowdown makespan overtakings \
max_overtaken most_overtaken mean_rho max_rho unfair allocation goodput mean_queue queue_peak waiting servers time end \
window_from window_until blocked_by killed window from until"
! grep -q '"published"' json && ! grep -qiE '[^a-z](nan|inf)[^o]' json
result $? "no published statistics, no NaN in corrected semantics"
grep -q '"id":0,.*"sequential_jct":0.18[0-9]*,"max_jct":null,"degree":1,"outcome":"completed"' json
result $? "the first job by hand: 10 steps of 18 ms"
good "published" run "$scenarios/published-32.json" --until "30 s" --json
grep '^"published"' out | keys | grep -q '^published num_jobs_arrived .* mean_num_jobs_running .* job_completion_time '
result $? "published statistics by their names"
grep -q '"outcome":"blocked","cause":"horizon","start":[0-9.e+]*,"end":null,"jct":[0-9.e+-]*,' out
result $? "a job at the published horizon keeps its start and its forecast"
good "measure" run "$two" --json --set measure.from=0.2
grep -q '"blocked_by":{},"killed":0,"measure":{"from":0.2,"until":[0-9.]*},"window":{"from":0.2,"until":[0-9.]*}}' out
result $? "the window is printed"
good "rigid jobs" run "$scenarios/rigid.json" --json
same "a rigid job that is blocked" "$(grep '^{"id":2' out)" "$(tr -d '\n' <<'T'
{"id":2,"graph":null,"arrival":600,"steps":null,"max_jct_fraction":null,"sequential_jct":600,
"max_jct":null,"degree":null,"outcome":"blocked","cause":"no_placement","start":null,"end":null,
"jct":null,"step_time":null,"communication_time":null,"computation_time":null,"servers":null,
"circuits":null,"ops":null,"deps":null,"partition_degree":null,"valid_degrees":null,
"exposed_communication_time":null,"wait":null,"why":"no block: 4 servers needed, 2 free","preemptions":0,"moves":0,"reconfiguration_time":null,"circuit_wait":null,"plan":null,"first_wait":null,"overtaken":0,"slowdown":null,"rho":null,"held":0,"waited":{"resource":0,"behind":0,"policy":0},"account":{"wait":0,"preempted":0,"computing":0,"lost":0}},
T
)"
good "same again" run "$two" --json
cmp -s out json
result $? "the same bytes again"
good hash run "$two" --hash
same "hash" "\"hash\":\"$(cat out)\"" "$(head -n 1 json | grep -o '"hash":"[0-9a-f]*"')"
good "a bare name" run two-servers --hash
cp out by_name
good "standard input" run "$two" --hash
cmp -s out by_name
result $? "a bare name finds the scenario that came with the program"
(cd "$scenarios" && "$lightpath" run - --hash <two-servers.json) >out 2>err
cmp -s out by_name
result $? "a scenario from standard input"
good "another seed" run pac-ml-32 --set generator.count=20 --hash --seed 2
cp out second
good "the same seed" run pac-ml-32 --set generator.count=20 --hash --set seed=2
cmp -s out second
result $? "--seed is --set seed"
good "the first seed" run pac-ml-32 --set generator.count=20 --hash
! cmp -s out second
result $? "another seed is another run"
good "until" run "$two" --until "0.6 s" --json
grep -q '"arrived":2,"completed":2' out
result $? "--until leaves out what comes later"
good "policy by name" run "$two" --policy no_parallelism --json
! grep '^{"id"' out | grep -qv '"degree":1,'
result $? "--policy decides"
good summary run "$two"
for word in scenario policy time jobs JCT servers throughput hash; do
    grep -q "^$word " out
    result $? "summary has $word"
done

good CSV run "$two" --csv
same "columns" "$(head -n 1 out | tr ',' ' ')" \
    "$job_keys wait_resource wait_shape wait_broken wait_memory wait_light wait_behind wait_policy"
same "lines" "$(wc -l <out)" 4
same "one row" "$(sed -n 3p out)" "$(grep '^{"id":1' json | sed -E 's|,"held":[^{]*[{][^}]*},"account":[{][^}]*}|,0,0,0,0,0,0,0|
    s/"[a-z_]+"://g; s/^\{//; s/\},?$//; s/null//g; s/"//g
    :list s/\[([0-9 ]*),/[\1 /; t list
    s/[][]//g')"
sed 's/"id": "two-ops"/"id": "a,\\"b\\""/; s/"graph": "two-ops"/"graph": "a,\\"b\\""/' "$two" >quotes.json
good "CSV with quotes" run quotes.json --csv
same "quoted as RFC 4180 says" "$(sed -n 2p out | cut -c1-14)" '0,"a,""b""",0,'

# A spreadsheet computes cells that begin with = + - @: in no table that is written does one, unless
# it is a number, or the tables are asked for as they are.
cat >cells.py <<'PY'
import csv, re, sys
count = 0
for path in sys.argv[2:]:
    for row in csv.reader(open(path, encoding="utf-8")):
        count += sum(c[:1] in "=+-@" and c != "" and not re.fullmatch(r"[+-]\d+(\.\d*)?([eE][+-]?\d+)?", c) for c in row)
want = sys.argv[1] == "raw"
sys.exit(f"{count} cells of formulas in {sys.argv[2:]}" if (count > 0) != want else 0)
PY
sed 's/"two-ops"/"=1+1"/g' "$two" >formula.json
mkdir -p entries && printf 'local p = { name = "@SUM(1)", api = 1 }
function p:partition(job, cluster)
    if job.id == 2 then return nil, "=HYPERLINK(1)" end
    return 1, "+1"
end
return p\n' >entries/=p.lua && cp entries/=p.lua entries/@q.lua
cp entries/=p.lua entries/@q.lua .
sed 's/"policy":.*/"policy": { "script": "=p.lua" }/' formula.json >formula2.json
two_of_them="--policy =p.lua --policy @q.lua --seeds 1..2"
for mode in "" raw; do
    while read -r words; do
        # shellcheck disable=SC2086  # words are words
        good "CSV $mode: $words" $words --csv $mode
        python3 cells.py "${mode:-safe}" out 2>err
        result $? "cells $mode: $words"
    done <<END
run formula2.json
compare formula.json $two_of_them
sweep formula.json --policy @q.lua --seeds 1 --vary partition.max_degree=1,2
tournament formula.json --policies entries --seeds 1..2
END
    # shellcheck disable=SC2086
    lp compare formula.json $two_of_them --csv $mode --curves curves.csv
    python3 cells.py "${mode:-safe}" curves.csv 2>err
    result $? "cells $mode: --curves"
    # shellcheck disable=SC2086
    lp compare formula.json $two_of_them --shard 1/1 && mv out part && lp merge part --csv $mode &&
        python3 cells.py "${mode:-safe}" out 2>err
    result $? "cells $mode: merge"
done
printf 'n*9\n:yank jobs jobs.csv\n:yank decision decision.csv\n:yank curves explorer.csv\n:quit\n' >keys
lp formula2.json --keys keys
[ $status -eq 0 ] && [ -s jobs.csv ] && python3 cells.py safe jobs.csv explorer.csv 2>err && grep -qF "'=1+1" jobs.csv
result $? "cells: tables of the explorer"
good "--csv=raw" run formula2.json --csv=raw
grep -q ',=1+1,' out && grep -qF ',=HYPERLINK(1),' out
result $? "raw keeps them"
bad "--csv=more" "lightpath: --csv=more: expected --csv or --csv raw" run "$two" --csv=more

# --- trace -----------------------------------------------------------------------------------------
good trace run "$two" --trace trace --hash
same "keys of every line" "$(sed -E 's/,"cause":"[a-z_]*"//' trace | keys | tr ' ' '\n' | paste -sd' ' |
    sed 's/ t /\n/g; s/^t //' | sort -u)" "kind job op part dep server from to circuit start end
kind job op part dep server from to circuit start end bytes sends"
awk -F'[:,]' '$2 + 0 < last + 0 { exit 1 } { last = $2 }' trace
result $? "in order of time"
for pair in arrival:3 start:3 completion:3 op:20; do
    same "trace: ${pair%:*}" "$(grep -c "\"kind\":\"${pair%:*}\"" trace)" "${pair#*:}"
done
grep -q '"kind":"collective","job":1,"op":[0-9]*,"part":null,"dep":null,"server":\[0,1\],' trace
result $? "a collective names its servers"
good "trace of a cut job" predict zoo:gnmt --kind model --degree 8 --trace flows --json
awk -F'[:,]' '{ print }' flows | grep '"kind":"flow"' |
    sed -E 's/.*"from":([0-9]+),"to":([0-9]+),"circuit":"tx([0-9]+) w([0-9]+) r([0-9]+) rx([0-9]+)".*/\1 \2 \3 \4 \5 \6/' |
    awk '{ if ($3 != int($2 / 8) || $4 != $2 % 2 || $5 != int($2 / 2) % 4 || $6 != int($1 / 8)) bad = 1 }
         END { exit bad || NR == 0 }'
result $? "the circuit of a flow faces the other end"
# Rules 1 and 2, and one op at a time: sorted by what is occupied, nothing overlaps.
sed -E 's/.*"kind":"(op|flow|collective)".*"server":(null|[0-9]+|\[[0-9,]*\]),"from":(null|[0-9]+),"to":(null|[0-9]+),.*"start":([0-9.e+-]+),"end":([0-9.e+-]+).*/\1 \2 \3 \4 \5 \6/' flows |
    awk '{ if ($1 == "op") print "op" $2, $5, $6
           if ($1 == "flow") { print "tx" $3 "." int($4 / 8), $5, $6; print "rx" $4 "." int($3 / 8), $5, $6 }
           if ($1 == "collective") { gsub(/[][]/, "", $2); n = split($2, s, ",")
               for (i = 1; i <= n; i++) for (g = 0; g < 4; g++) {
                   print "tx" s[i] "." g, $5, $6; print "rx" s[i] "." g, $5, $6 } } }' |
    sort -k1,1 -k2,2g | awk '$1 == what && $2 + 0 < end * (1 - 1e-9) { bad++ } { what = $1; end = $3 }
                             END { exit bad > 0 || NR == 0 }'
result $? "rules 1 and 2 hold in a trace"

# --- Ctrl-C ----------------------------------------------------------------------------------------
# Waits until the program (no longer the shell that starts it) catches the signal, not for any time.
"$lightpath" run "$scenarios/ideal-loss.json" --set generator.count=200000 --json >out 2>err &
pid=$!
program=$(readlink -f "$lightpath")
catches() {
    [ "$(readlink /proc/$pid/exe)" = "$program" ] && grep -qE '^SigCgt:.*[2367abef]$' /proc/$pid/status
}
while kill -0 $pid 2>/dev/null && ! catches 2>/dev/null; do
    read -rt 0.01 <> <(:) || true
done
kill -INT $pid
wait $pid
[ $? -eq 130 ] && tail -n 1 out | grep -q '}$' && grep -q '^"summary":{"arrived":' out &&
    [ "$(cat err)" = "lightpath: interrupted; these are the results so far" ]
result $? "Ctrl-C prints the results so far, exit 130"

# Counts agree with their nouns, in reasons, summaries and explanations.
cat >one.json <<'JSON'
{ "lightpath":1, "cluster":{"fabric":"ideal","ideal":{"servers":2}}, "graphs":[{"id":"a","zoo":"alexnet"}],
  "jobs":[{"servers":1,"duration":100},{"servers":1,"duration":100,"arrival":1},{"servers":1,"duration":10,"arrival":2},{"servers":1,"duration":10,"arrival":200},{"graph":"a","arrival":300}] }
JSON
sed 's/"arrival":1}/"arrival":150}/; s/"servers":2}/"servers":1}/' one.json >lone.json
for file in one lone; do
    for words in "run $file.json" "run $file.json --json" "explain $file.json --job 2" "whatif $file.json --at d2" \
        "compare $file.json --policy edf.lua --policy srpt.lua --seeds 1" "run $file.json --blame" "$file.json --save-screen - --size 200x60"; do
        # shellcheck disable=SC2086  # words are words
        lp $words
        [ $status -ne 2 ] && ! grep -E '(^|[^0-9.,x])1 (free |waiting |running |other |more )?(servers|jobs|ways|steps|times|accelerators|cubes|seeds|runs|decisions)([^a-z_"]|$)' out err
        result $? "one of a kind: $words"
    done
done
printf '%s' '{"lightpath":1,"cluster":{"fabric":"ramp"},"graphs":[{"id":"a","zoo":"alexnet"}],"jobs":[{"graph":"a","arrival":0,"steps":1,"hint":{"degree":16}}],"partition":{"kind":"model"}}' >slow.json
lp run slow.json --set cluster.ramp.node_bandwidth=1e6
[ $status -eq 0 ] && grep -qE '; [0-9.]+ times slower than unsplit' out && ! grep -q '0\.[0-9]* times' out
result $? "slower than unsplit is told as slower"

# --- predict ---------------------------------------------------------------------------------------
# A job without work: whatever is divided by its times is no figure, in no command.
printf '%s' '{"lightpath_profile":1,"name":"z","ops":[{"id":1,"name":"a","forward":0,"backward":0},{"id":2,"name":"b","forward":0,"backward":0}],"edges":[[1,2]]}' >zero.prof
printf '%s' '{"lightpath":1,"cluster":{"fabric":"ramp"},"queue_capacity":5,"graphs":[{"id":"z","file":"zero.prof","format":"lightpath"}],
"jobs":[{"graph":"z"},{"graph":"z","arrival":1,"max_jct_fraction":0.5},{"servers":3,"duration":"1 ns"}]}' >zero.json
good "no work: predict" predict zero.prof --fabric ideal:4 --degree 1,2
same "no speedup" "$(awk 'NR > 1 { print $6 }' out | sort -u)" -
good "no work: predict --json" predict zero.prof --fabric ideal:4 --degree 1,2 --json
same "a speedup of null" "$(grep -o '"speedup":[^,]*' out | sort -u)" '"speedup":null'
while read -r words; do
    # shellcheck disable=SC2086  # words are words
    lp $words
    [ $status -eq 0 ] && ! grep -qiwE -- '-?nanx?|-?infx?' out err
    result $? "no work: $words"
done <<END
run zero.json
run zero.json --json
run zero.json --csv
run zero.json --blame
run zero.json --policy pac_ml.lua --json
explain zero.json --job 0
explain zero.json --job 1
explain zero.json --job 1 --json
whatif zero.json --at d1 --to-end
whatif zero.json --at d1 --json
compare zero.json --policy edf.lua --policy max_parallelism.lua --seeds 1..2
compare zero.json --policy edf.lua --policy max_parallelism.lua --seeds 1..2 --json
zero.json --save-screen - --size 160x50
END

# Worked out by hand from the published rules: two ops on two servers, one step of 10.520125.
{
    printf 'node1 -- A -- forward_compute_time=1.0, backward_compute_time=2.0, activation_size=1000000000.0, parameter_size=0.0\n'
    printf 'node2 -- B -- forward_compute_time=3.0, backward_compute_time=4.0, activation_size=[1500000000.0; 500000000.0], parameter_size=500000000.0\n'
    printf '\tnode1 -- node2\n'
} >hand.txt
hand="predict hand.txt --fabric ramp:2x2x2 --bandwidth 2e9 --latency 1e-3 --io-latency 5e-4 --quantum 0.01 \
--steps 10 --semantics published --json"
good "by hand" $hand --degree 2 --time-unit s
same "keys of a row" "$(keys <out)" "lightpath rows degree feasible cause jct step_time communication_time \
computation_time ops deps servers ticks exposed_communication_time partition_degree circuits speedup why"
grep -qE '"jct":105\.2012(5|4999)[0-9]*,"step_time":10\.52012(5|4999)[0-9]*,"communication_time":65\.2012(5|4999)[0-9]*,"computation_time":50,"ops":8,"deps":16,"servers":\[0,4\],"ticks":11,' out
result $? "the numbers by hand"
cp out row
good "published reads any unit as seconds" $hand --degree 2
cmp -s out row
result $? "... whatever the unit"
good "units in options" predict hand.txt --fabric ramp:2x2x2 --bandwidth "2 GB/s" --latency "1 ms" \
    --io-latency "500 us" --quantum "10 ms" --steps 10 --semantics published --json --degree 2
cmp -s out row
result $? "... and with units in the options"
good "the same through --set" $hand --degree 2 --set "cluster.ramp.node_bandwidth=2 GB/s"
cmp -s out row
result $? "... and --set"
good infeasible $hand --degree 3,16
same "infeasible rows" "$(tr '\n' ' ' <out)" "{\"lightpath\":1,\"rows\":[$(
    for row in "3:unsupported:the published simulator takes degree 1 or an even degree" \
        "16:no_placement:no block of 16 free servers for op 1"; do
        IFS=: read -r degree cause why <<<"$row"
        printf '%s{"degree":%s,"feasible":false,"cause":"%s","jct":null,"step_time":null,"communication_time":null,"computation_time":null,"ops":null,"deps":null,"servers":null,"ticks":null,"exposed_communication_time":null,"partition_degree":null,"circuits":null,"speedup":null,"why":"%s"}' \
            "$([ "$degree" = 3 ] || echo ', ')" "$degree" "$cause" "$why"
    done)]} "
good "a quantum in the profile's unit" predict hand.txt --fabric ideal:8 --degree 8 --quantum 1.5 --json
grep -q '"partition_degree":2,' out
result $? "1.5 ms splits 3 ms in two"
"$lightpath" import pipedream hand.txt -o plain.json
good "cuts by kind" predict zoo:vgg16 --kind tensor --degree 1,8 --set graphs[0].batch=32 --json
tr -d '\n' <out | grep -q '"degree":1,.*"collectives":0,"collective_bytes":0,.*"degree":8,.*"collectives":29,"collective_bytes":2288773120,"why":null'
result $? "... as worked out by hand"
sed 's/"id": 1, /&"kind": "Pooling", "channels": 6, /' plain.json >kinds.json
good "kinds of a profile" predict kinds.json --kind tensor --json
sed 's/"id": 1, /&"kind": "cube", /' plain.json >cube.json
bad "no such kind of op" 'cube.json:5:23: unknown kind of op "cube", expected one of unknown, input, linear, conv, attention, elementwise, reshape, pool, norm_channel, norm_feature, embedding, loss, recurrent, attention_block' \
    predict cube.json
bad "unknown kind" 'lightpath: "kind" is the text "cube", expected one of "model", "data", "tensor"' \
    predict zoo:vgg16 --kind cube
bad "cuts by kind under published rules" 'lightpath: partition.kind is "tensor", which has no meaning under the published rule of the option "weight_sync": expected "corrected"' \
    predict zoo:vgg16 --kind tensor --semantics published
good "a shape that the published list lacks" predict zoo:vgg16 --fabric ramp:4x4x1 --degree 8 --set options.shapes=published --json
grep -q '"feasible":false,"cause":"no_placement"' out
result $? "... is not found in that list"
good "every shape" predict zoo:vgg16 --fabric ramp:4x4x1 --degree 8 --json
grep -q '"feasible":true,.*"servers":\[0,1,2,3,4,5,6,7\]' out
result $? "... the first by groups: 2x4x1"
good "a table" predict zoo:alexnet --fabric ideal:4
same "a line per degree" "$(wc -l <out)" 6
bad "no graph" "lightpath: lightpath predict expects GRAPH (see lightpath predict --help)" predict
bad "missing profile" "nope: No such file or directory" predict nope
bad "unknown model" "lightpath: unknown zoo model 'vg16', did you mean 'vgg16'?" predict zoo:vg16
bad "not a profile" "$two:1:1: this is no profile, expected PipeDream's text, or JSON with the key \
\"lightpath_profile\"" predict "$two"
bad "standard input" "lightpath: standard input: expected a profile in a file" predict -
fabric="expected ramp:GROUPSxRACKSxSERVERS, such as ramp:4x4x2, packet:LEAVESxSPINESxSERVERS, such as \
packet:8x2x4, ocs:SERVERS, zones:ZONESxSERVERS, ideal:SERVERS, such as ideal:32 or pod:CUBES, such as pod:64"
for wrong in ramp:4x4 ramp:0x4x2 ramp:4x4x2x ramp:4x4x2x1 ramp:4x-4x2 ideal: ideal:1e3 torus:3 ""; do
    bad "fabric '$wrong'" "lightpath: --fabric $wrong: $fabric" predict hand.txt --fabric "$wrong"
done
bad "too many racks" "lightpath: cluster.ramp.racks_per_group is 4: expected at most \
communication_groups, 2" predict hand.txt --fabric ramp:2x4x2
degrees="expected whole numbers from 1, joined by commas, such as 1,2,4,8"
for wrong in 0 1,,2 1, ,1 "" x 1.5 4294967297; do
    bad "degree '$wrong'" "lightpath: --degree $wrong: $degrees" predict hand.txt --degree "$wrong"
done
bad "no bandwidth" "lightpath: --bandwidth 0: expected more than 0" predict hand.txt --bandwidth 0
bad "negative latency" "lightpath: --latency -1: expected 0 or more" predict hand.txt --latency -1
bad "no steps" "lightpath: --steps 0: expected a whole number from 1" predict hand.txt --steps 0
bad "no quantum" "lightpath: --quantum 0: expected more than 0" predict hand.txt --quantum 0
bad "unknown semantics" "lightpath: --semantics x: expected published or corrected" \
    predict hand.txt --semantics x
bad "unknown unit" 'lightpath: --time-unit: "h" is no unit of time, expected s, ms, us or ns' \
    predict hand.txt --time-unit h
lp predict hand.txt --degree 999 --trace none --json
[ $status -eq 1 ] && [ ! -e none ] && no_parts
result $? "no trace of what is infeasible"

# The published simulator's numbers for a profile that is there (tests/golden/open): rows of its list.
open=$root/tests/golden/open
published() { # DEGREE: predict says what the row ends with
    local row ops deps jct communication computation
    row=$(grep "^skip16,4,4,2,1600000000000.0,.*,$1,1," "$open/single-job.csv")
    IFS=, read -r _ _ _ _ _ _ _ _ _ _ _ ops deps _ jct communication computation <<<"$row"
    grep -q "\"degree\":$1,.*\"jct\":$jct,.*\"communication_time\":$communication,\"computation_time\":$computation,\"ops\":$ops,\"deps\":$deps," out
    result $? "... at degree $1"
}
good "published semantics" predict "$open/skip16.txt" --fabric ramp:4x4x2 --degree 4,16 \
    --semantics published --time-unit s --json
published 4
published 16

# --- import ----------------------------------------------------------------------------------------
good import import pipedream hand.txt -o hand.json
good "what was imported is good" check hand.json
good "to standard output" import pipedream hand.txt
cmp -s out hand.json
result $? "... and the same"
good "-o before" import -o - pipedream hand.txt
cmp -s out hand.json
result $? "- is standard output"
good "predict it" predict hand.json --json
cp out row
good "predict the original" predict hand.txt --json
cmp -s out row
result $? "an imported profile predicts the same bytes"
"$lightpath" import pipedream - <hand.txt 2>err | sed 's/"name": "graph"/"name": "hand"/' | cmp -s - hand.json
result $? "import from standard input"
mkdir -p vgg16
cp hand.txt vgg16/graph.txt
good "graph.txt" import pipedream vgg16/graph.txt
grep -q '"name": "vgg16"' out
result $? "graph.txt is called after its folder"
formats=$("$lightpath" import --formats | awk '{ names = names ", " $1 } END { print substr(names, 3) }')
bad "unknown format" \
    "lightpath: unknown format \"pipdream\", did you mean pipedream: expected auto, $formats" \
    import pipdream hand.txt
bad "import of a bad file" 'cut.txt:1:15: found "y", expected forward_compute_time=NUMBER' \
    import pipedream cut.txt
lp import pipedream hand.txt -o folder
[ $status -eq 1 ] && no_parts
result $? "import into a folder"
echo old >linked
ln -s linked link
lp import pipedream hand.txt -o link
[ $status -eq 1 ] && grep -q 'cannot write link: is a link, which is not followed' err
result $? "no import through a link"
[ -L link ] && [ "$(cat linked)" = old ] && no_parts
result $? "... it and what it points to stay"

# --- the explorer ----------------------------------------------------------------------------------
lp
[ $status -eq 2 ] && [ ! -s out ] && grep -q '^  pac-ml-32$' err &&
    [ "$(head -n 1 err)" = "lightpath: the explorer needs a terminal: expected lightpath run SCENARIO" ]
result $? "no terminal: lists the scenarios"
bad "no terminal" "lightpath: the explorer needs a terminal: expected lightpath run SCENARIO, or --keys, \
--save-screen or --plain" "$two"
bad "size of a terminal" "lightpath: --size is for --keys and --save-screen: a terminal has its own size" \
    "$two" --size 80x24
good "a screen without keys" "$two" --size 60x20 --save-screen screen
[ "$(wc -l <screen)" -eq 20 ]
result $? "... of that size"
lp "$two" --size 60 --save-screen screen
[ $status -eq 2 ] && grep -q '^lightpath: "60" is no size: ' err
result $? "a wrong size"
lp "$two" --theme nope --save-screen screen
[ $status -eq 2 ] && grep -q '^lightpath: unknown theme "nope": expected ' err
result $? "an unknown theme"

# --- paths -------------------------------------------------------------------------------------------
mkdir -p "$PWD/xdg/lightpath"
export HOME=$PWD/nobody LIGHTPATH_DATA= XDG_CONFIG_HOME=$PWD/xdg XDG_DATA_HOME=$PWD/none XDG_STATE_HOME=not/absolute
good "paths" paths
grep -qE "^  config +$PWD/xdg/lightpath  " out && grep -qE "^- keys +$PWD/xdg/lightpath/keys.json  " out &&
    grep -qE "^- state +$HOME/.local/state/lightpath  " out && grep -qE "^- scripts +$PWD/none/lightpath/scripts$" out &&
    [ "$(grep -cE '^  (themes)? +/.*/themes$' out)" -ge 1 ]
result $? "... tells what there is"
good "paths as JSON" paths --json
if command -v python3 >/dev/null; then
    python3 -c '
import json, os, sys
told = json.load(open("out"))
assert told["config"] == {"path": os.environ["XDG_CONFIG_HOME"] + "/lightpath", "exists": True}
assert not told["theme"]["exists"] and told["data"]["path"].endswith("/none/lightpath")
assert any(place["exists"] for place in told["scenarios"])
for place in told["scripts"]:
    assert place["exists"] == os.path.isdir(place["path"])'
    result $? "... agrees with the disk"
fi
HOME=$(printf '/x\033[31m') lp paths
grep -qF '/x\x1b[31m/.local/state' out && ! grep -q "$(printf '\033')" out
result $? "... of a hostile home"
(cd "$tmp" && "$lightpath" policy new mine -o $'a\nlightpath: forged\033[1m.lua') >out 2>err </dev/null
[ "$(wc -l <err)" -eq 1 ] && grep -qF 'lightpath: wrote a\nlightpath: forged\x1b[1m.lua; try' err
result $? "the name of a file begins no line of its own"
bad "paths of something" "lightpath: unexpected word \"x\": lightpath paths expects options only" paths x

exit $failed

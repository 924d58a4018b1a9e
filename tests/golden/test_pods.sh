#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Slices of pods from outside: the exact values of docs/pods.md to the last digit given there, and
# every refusal. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-pods.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  out: /' out | cut -c1-700 | head -n 20
        sed 's/^/  err: /' err | head -n 20
        echo "not ok $2"
        failed=1
    fi
}
lp() {
    "$lightpath" "$@" >out 2>err </dev/null
    status=$?
}
# has KEY VALUE...: each key of out rounds to the value, to as many digits as that has. All of it in the
# shell: processes would take longer than the program.
has() {
    local wrong=0 got digits text
    [ $status -eq 0 ] && [ ! -s err ] || return 1
    IFS= read -r -d '' text <out || true
    while [ $# -gt 0 ]; do
        got=
        [[ $text =~ [{,]\"$1\":([-+.e0-9]+) ]] && got=${BASH_REMATCH[1]}
        digits=${2#*.}
        [ "$digits" != "$2" ] || digits=
        [ -z "$got" ] || printf -v digits "%.${#digits}f" "$got"
        if [ -z "$got" ] || [ "$digits" != "$2" ]; then
            echo "  $1 is $got, expected $2"
            wrong=1
        fi
        shift 2
    done
    return $wrong
}
slice() { # slice SLICE LOAD DIAMETER MEAN GAIN CIRCUITS ARGS...
    local what=$1 load=$2 diameter=$3 mean=$4 gain=$5 circuits=$6
    shift 6
    lp predict "slice:$what" --json "$@"
    has all_to_all_load "$load" diameter "$diameter" mean_distance "$mean" gain "$gain" cross_connects "$circuits"
    result $? "$what $*"
}
refused() { # refused NAME MESSAGE ARGS...
    local name=$1 message=$2
    shift 2
    lp "$@"
    IFS= read -r -d '' text <err || true
    [ $status -eq 2 ] && [ ! -s out ] && [ "$text" = "lightpath: $message"$'\n' ]
    result $? "$name"
}

# --- all-to-all, intact ---------------------------------------------------------------------------
slice 4x4x4 32 6 3.047619 1 48
slice 4x4x8 128 8 4.031496 1 96 --fabric pod:64
slice "4x4x8 twisted" 73.333333 6 3.464567 1.745455 96 --fabric pod:64
slice 4x8x8 256 10 5.019608 1 192
slice "8x4x8 twisted" 184 6 4.329412 1.391304 192
slice 8x8x16 2048 16 8.007820 1 768
slice "8x8x16 twisted" 1189.333333 12 6.975562 1.721973 768
slice 8x16x16 4096 20 10.004885 1 1536
slice "8x16x16 twisted" 2976 12 8.723009 1.376344 1536
for row in "4x4x12 288" "4x4x16 512" "4x8x12 576" "4x8x16 1024" "8x8x8 512" "12x16x16 6144" "4x4x32 2048" \
    "1x1x1 0" "1x1x2 1" "1x2x2 2" "2x2x2 4" "2x2x4 16" "4x2x4 39"; do
    # shellcheck disable=SC2086  # two words
    set -- $row
    lp predict "slice:$1" --json
    has all_to_all_load "$2"
    result $? "$row"
done
lp predict "slice:4x4x8 twisted" --json
has gain_fitted 1.641
result $? "the fit of the published gain 1.63"
lp predict "slice:4x8x8 twisted" --json
has gain_fitted 1.308
result $? "the fit of the published gain 1.31"

# --- static wiring: no rings where a slice does not span the grid -----------------------------------
static=(--fabric pod:64:static)
slice 4x4x4 95.5714 9 3.809524 0.3348 0 "${static[@]}"
slice 4x4x8 387.6595 13 5.165354 0.3302 0 "${static[@]}"
slice "4x4x8 twisted" 387.6595 13 5.165354 0.3302 0 "${static[@]}"
slice 4x8x8 846.8916 17 6.525490 0.3023 0 "${static[@]}"
slice 8x8x8 1854.1579 21 7.890411 0.2761 0 "${static[@]}"
slice 4x4x16 752.0000 14 6.525490 0.6809 0 "${static[@]}"
lp predict "slice:4x4x8 twisted" "${static[@]}"
grep -q 'static wiring cannot twist: it runs plain' out
result $? "static wiring runs a twisted slice plain and says so"

# --- dead switches ------------------------------------------------------------------------------------
slice 4x4x4 35.4929 6 3.048611 0.901589 47 --dead switch:11
slice 4x4x8 129.0425 8 4.031988 0.991921 94 --dead switch:20
slice 4x4x8 150.0704 8 4.035433 0.852933 94 --dead switch:32
slice "4x4x8 twisted" 82.6547 6 3.467520 1.548612 94 --dead switch:32
slice "4x4x8 twisted" 82.6547 6 3.467520 1.548612 94 --dead switch:0
slice 4x8x8 257.8964 10 5.019853 0.992647 188 --dead switch:1
slice 4x8x8 302.4230 10 5.021569 0.846496 188 --dead switch:17
slice "4x8x8 twisted" 211.6891 6 4.331373 1.209320 188 --dead switch:47
slice 4x4x8 162.1670 8 4.047244 0.789310 92 --dead switch:32,33
slice 2x2x4 16 5 2.400000 1 0 --dead switch:32

# --- times: links of 50 GB/s, 1 us a hop ----------------------------------------------------------------
ms() { # ms KEY SLICE MILLISECONDS ARGS...
    local key=$1 what=$2 value=$3
    shift 3
    lp predict "slice:$what" --json --io-latency 0 "$@"
    sed -E "s/\"$key\":([-.e0-9]+)/\"$key\":\1e3/; s/e-0*([0-9]+)e3/e-\1/" out >ms && mv ms out
    has "$key" "$value"
    result $? "$key of $what $*: $value ms"
}
all=all_reduce_time one=(--set cluster.pod.collective=sequential)
ms $all 4x4x4 6.580500
ms $all 4x4x4 19.705500 "${one[@]}"
ms $all 4x4x8 7.698250
ms $all 4x4x8 19.869750 "${one[@]}"
ms $all "4x4x8 twisted" 7.698250 --bytes 1GB
ms $all 8x8x8 6.695646
ms $all 8x8x8 20.0029375 "${one[@]}"
ms $all 4x8x16 7.977646
ms $all 4x8x16 20.0109375 "${one[@]}"
ms $all 4x4x8 15.396500 "${static[@]}"
ms $all 4x4x8 39.739500 "${static[@]}" "${one[@]}"
ms $all 2x2x4 17.536000
ms $all 2x2x4 37.516000 "${one[@]}"
ms $all 4x4x16 12.944625 "${static[@]}"
ms $all 4x4x16 38.725875 "${static[@]}" "${one[@]}"
ms $all 4x4x8 9.6963125 --dead switch:40
ms all_to_all_time 4x4x8 2.568000 --bytes 1MB
ms all_to_all_time "4x4x8 twisted" 1.472667 --bytes 1MB --set cluster.pod.twist_efficiency=1

# --- capacity, blocking, checkpoints, the published mix ---------------------------------------------------
capacity() { # capacity AVAILABLE OF SWITCHED STATIC PROMISED PROMISED ARGS...
    local available=$1 of=$2 means=$3 fixed=$4 first=$5 second=$6
    shift 6
    lp pods capacity --available "$available" --of "$of" --json "$@"
    has switched "$means" static "$fixed" promised_switched "$first" promised_static "$second"
    result $? "capacity at $available, $of cubes $*"
}
capacity 0.99 16 0.7474 0.0763 0.75 0
capacity .99 32 0.5000 0.0058 0.50 0
capacity .99 48 0.7420 0.0003 0.75 0
capacity .995 16 0.7515 0.2771 0.75 0
capacity .999 16 0.8397 0.7740 0.75 0.25
capacity .999 32 0.6795 0.5991 0.50 0
capacity .999 48 0.7500 0.3478 0.75 0
capacity .999 64 0.3590 0.3590 0 0
capacity .99 96 0.6667 0.0000 0.6667 0 --cubes 144
capacity .995 96 0.6857 0.0003 0.6857 0 --cubes 140
capacity .934686 130 0.8576 0.0001 0 0 --cubes 144 --hosts 1 # 130 of 144 in 95 % of the time
lp pods capacity
[ "$(grep -c '^ *0\.99[59 ]' out)" -eq 12 ] && grep -q ' 0\.999  *16  *0\.8397  *0\.7740  *0\.7500  *0\.2500$' out
result $? "capacity as a table: three times as much is promised at .999"

blocking() { # blocking LOAD ARRIVALS CARRIED BLOCKED CUBES:BLOCKED...
    local wrong=0 row
    lp pods blocking --load "$1" --json
    has arrivals "$2" carried "$3" blocked "$4" mean_cubes 9.013 || wrong=1
    local load=$1
    shift 4
    cp out all
    for row in "$@"; do
        tr '{' '\n' <all | sed -n "s/^\"cubes\":${row%:*},.*\"blocked\"/{\"blocked\"/p" >out
        has blocked "${row#*:}" || wrong=1
    done
    result $wrong "blocking at load $load, every class"
}
blocking 0.7 4.9705 0.4313 0.1178 1:0.0142 2:0.0248 4:0.0515 8:0.1092 16:0.2103 32:0.3526 48:0.6400
blocking 0.3 2.1302 0.2452 0.0517 1:0.0065 2:0.0079 4:0.0139 8:0.0368 16:0.1157 32:0.1822 48:0.3053
# one class of one cube is Erlang's: a = 2 on 2 cubes block 2 of 5
lp pods blocking --cubes 2 --classes 1 --load 1 --json
has blocked 0.400000000000 carried 0.600000000000
result $? "one class is Erlang's formula"

checkpoints() { # checkpoints INTERVAL SECONDS EXPECTED ARGS...
    local interval=$1 seconds=$2 expected=$3
    shift 3
    lp pods checkpoints --interval "$interval" --json "$@"
    has interval "$seconds" expected_time "$expected"
    result $? "checkpoints: $interval $*"
}
checkpoints young 929.5160 100184.9
checkpoints daly 889.9463 100232.1
checkpoints 300s 300 108038.7
checkpoints "40 min" 2400 107258.6
checkpoints young 3219.9379 89766.0 --mean 86400s
checkpoints daly 3180.0621 89807.3 --mean 86400s
checkpoints young 464.7580 101904.2 --mean 1h --cost 30s
checkpoints daly 444.9732 101917.1 --mean 1h --cost 30s
lp pods checkpoints --interval 1d --mean 1e9h --json
has undisturbed 86400 expected_time 86400.0
result $? "a job of one piece has no checkpoint"

# --- a trace of faults as StepFun publishes them -----------------------------------------------------------
event() { # event NODE DAYS start|end CLASS
    printf '{"node_id":"%s","event_time":%s,"event_type":"fault_%s","fault_type":{"Level":"L","Class":"%s","Desc":"D"}}' "$@"
}
events() { # events "NODE DAYS start|end CLASS"...: the list
    local row between=
    printf '['
    for row in "$@"; do
        # shellcheck disable=SC2086  # four words
        printf '%s%s\n' "$between" "$(event $row)"
        between=,
    done
    printf ']'
}
# two faults of b overlap: one server is down; c comes back when d fails, so two are down at most
events "b 1 start GPU" "a 1.5 start NIC" "b 2 start NIC" "a 2.5 end NIC" "b 3 end GPU" "b 4 end NIC" "c 5 start GPU" \
    "c 6 end GPU" "d 6 start GPU" "d 10 end GPU" >faults.json
lp import stepfun faults.json -o trace --servers 10
[ $status -eq 0 ] && diff out - >err <<'TXT'
5 faults of 4 of 10 servers in 10.00 days
down on average 0.80 (8.00 %), at most 2 at once
  0.90 (9.00 %) where a server is down until the last of its faults ends, as the lines have it
repair: median 2.00 d, mean 2.00 d
TXT
result $? "import stepfun: figures"
sed 's/^# //' trace | head -n 4 | cmp -s - out && sed 1,5d trace | diff - <(printf '%s\n' 86400,host,0,172800 \
    129600,host,1,86400 172800,host,0,172800 432000,host,2,86400 518400,host,3,345600) >err
result $? "import stepfun: lines, servers by their first fault"
cat >traced.json <<JSON
{ "lightpath": 1, "cluster": { "fabric": "pod", "pod": { "cubes": 8 } }, "failures": { "trace": "trace" },
  "jobs": [ { "slice": "4x4x4", "duration": "3 d" } ] }
JSON
"$lightpath" run traced.json --json >out 2>err && grep -q '"stops":1,' out
result $? "import stepfun: a scenario reads it, overlapping faults of a server as one"
lp import stepfun faults.json
[ $status -eq 0 ] && cmp -s out trace || sed 's/ of 400 / of 10 /; s/(0.20 %)/(8.00 %)/; s/(0.23 %)/(9.00 %)/; s/(0.22 %)/(9.00 %)/' out | cmp -s - trace
result $? "import stepfun: to standard output, of 400 servers"
sed 's/"a"/10/; s/"b"/2/; s/"c"/30/; s/"d"/4/' faults.json >numbers.json
lp import stepfun numbers.json --servers 10
[ $status -eq 0 ] && cmp -s out trace
result $? "import stepfun: nodes that are numbers"
lp import stepfun faults.json --kind cube
grep -q '^86400,cube,0,172800$' out
result $? "import stepfun: another kind"
events "b 1 start GPU" "b 4 start NIC" "b 5 end GPU" >open.json
lp import stepfun open.json
grep -q '2 faults of 1 of 400 servers in 5.00 days, 1 of them open at the end' out
result $? "import stepfun: a fault without an end lasts to the last event"
# the whole trace, where there is a copy of it
published=$(find "${STEPFUN_TRACE:-$root/../shared}" -name 'fault_trace*.json' 2>/dev/null | head -n 1)
if [ -n "$published" ]; then
    lp import stepfun "$published" -o trace
    [ $status -eq 0 ] && grep -q '^584 faults of 231 of 400 servers in 348.98 days$' out &&
        grep -q '^down on average 9.20 (2.30 %), at most 35 at once$' out && grep -q '^  9.26 (2.31 %) where a server is down' out &&
        grep -q '^repair: median 0.85 d, mean 5.54 d$' out
    result $? "import stepfun: the figures of the published trace"
else
    echo "skip import stepfun, the published trace: STEPFUN_TRACE names no fault_trace.json of github.com/stepfun-ai/InfiniteHBD-Trace"
fi
bad_trace() { # bad_trace WORDS
    lp import stepfun bad.json "${@:2}"
    [ $status -eq 2 ] && [ ! -s out ] && grep -qF -- "$1" err
    result $? "import stepfun: $1"
}
events "b 1 end GPU" >bad.json
bad_trace 'bad.json:1:2: a fault of b ends that has not begun'
events "b 1 start GPU" "b 2 end NIC" >bad.json
bad_trace 'bad.json:2:2: a fault of b ends that has not begun'
events "b 2 start GPU" "c 1 start GPU" >bad.json
bad_trace 'event_time 1 is before that of the event before, 2'
events "b -1 start GPU" >bad.json
bad_trace 'bad.json:1:'
events "b 1 begin GPU" >bad.json
bad_trace 'fault_begin'
echo '[{"node_id":"b"}]' >bad.json
bad_trace '"event_time" is missing: expected days'
echo '[]' >bad.json
bad_trace 'bad.json:1:1: the list is empty: expected events'
events " 1 start GPU" | sed 's/"node_id":"1","event_time":start,"event_type":"fault_GPU"/"node_id":"","event_time":1,"event_type":"fault_start"/' >bad.json
bad_trace '"node_id" is empty: expected the name of a node'
events "b 1e11 start GPU" >bad.json
bad_trace 'event_time is 1e+11: expected at most 1e+10 days'
echo '{}' >bad.json
bad_trace 'bad.json:1:1:'
cp faults.json bad.json
bad_trace '--servers is 3, but 4 failed' --servers 3
bad_trace '--kind is rack: expected domain, cube, host, accelerator, switch or cable' --kind rack
bad_trace '--time-unit: the times of stepfun are days' --time-unit s

lp pods mix --json
[ "$(grep -oE '"percent":[0-9.]+' out | cut -d : -f 2 | awk '{ s += $1 } END { printf "%d %.1f", NR, s }')" = "30 97.5" ]
result $? "the published mix: 30 rows, 97.5 percent"

refused "no topic" 'pods bla: expected capacity, blocking, checkpoints or mix' pods bla
refused "an option of another topic" '--load says nothing of mix, expected it without' pods mix --load 1
refused "cubes of checkpoints" '--cubes says nothing of checkpoints, expected it without' pods checkpoints --cubes 3
refused "more cubes than there are" "--of: 65 cubes: expected at most the pod's 64" pods capacity --of 16,65
refused "no share" '--available: 1.2: expected a number from 0 to 1' pods capacity --available .9,1.2
refused "no load" 'load is 0: expected a number above 0' pods blocking --load 0
refused "no class" '--classes: x: expected a whole number from 1 to 4096' pods blocking --classes 1:2,x
refused "no weight" '--classes: -1: expected a weight of 0 or more' pods blocking --classes 1:-1
refused "too large a load" 'load is 1e+300: expected at most 1e9' pods blocking --load 1e300
refused "no time" '1e+09 bytes over links of 1e-300 bytes/s with 1e-06 s a hop: the time is larger than any number' \
    predict slice:4x4x8 --set cluster.pod.link_bandwidth=1e-300
lp pods blocking --load 1e9 --json
has carried 1.000000 blocked 1.000000
result $? "all of a pod is carried under a huge load"
lp pods checkpoints --mean 1ns --interval young
[ $status -eq 0 ] && grep -q '^young  *0\.00034641  *14965005360\.0  *never$' out
result $? "a job that is stopped all the time never ends"
refused "no interval" '--interval: 0s: expected a time above 0' pods checkpoints --interval young,0s
refused "no work" 'work is -3: expected a number above 0' pods checkpoints --work -3s

# --- as text, and refusals --------------------------------------------------------------------------------
lp predict "slice:4x4x8 twisted" --dead switch:32
grep -q 'a fit to two published gains' out && grep -q 'rings: as plain' out && grep -q '^cross-connects  94 ' out
result $? "the text labels the fit, the rings and the circuits"
refused "no whole cubes" 'slice 4x4x6: expected three multiples of 4 (whole cubes), or three divisors of 4 (a part of one cube)' \
    predict slice:4x4x6
refused "too large" 'slice 16x20x16 needs 80 cubes, expected at most the pod'"'"'s 64' predict slice:16x20x16
refused "as it was written" 'slice 8x4x6: expected three multiples of 4 (whole cubes), or three divisors of 4 (a part of one cube)' \
    predict slice:8x4x6
refused "no twist" 'slice 4x4x12 twisted: expected AxAx2A or Ax2Ax2A of whole cubes, such as 4x4x8' \
    predict "slice:4x4x12 twisted"
refused "no twisted part" 'slice 2x2x4 twisted: expected AxAx2A or Ax2Ax2A of whole cubes, such as 4x4x8' \
    predict "slice:2x2x4 twisted"
refused "longer than the grid" 'slice 4x4x20: 1x1x5 cubes, expected a box that fits the grid of 4x4x4' \
    predict slice:4x4x20 "${static[@]}"
refused "no slice" 'slice 4x4: expected AxBxC such as 4x4x8, or "4x4x8 twisted"' predict slice:4x4
refused "no pod" '--fabric ideal:32: a slice is of a pod, expected pod:CUBES or pod:CUBES:static, such as pod:64' \
    predict slice:4x4x8 --fabric ideal:32
refused "too few ports" 'cluster.pod.ports is 136: 144 cubes plug two links each into a switch, expected at least 288 ports' \
    predict slice:4x4x8 --fabric pod:144 --set cluster.pod.ports=136
refused "another grid" 'cluster.pod.grid is 4x4x5: that is 80 cubes, expected 64' \
    predict slice:4x4x8 --set cluster.pod.grid=4x4x5
refused "no such switch" 'switch 48: the pod has 48, expected a number from 0 to 47' predict slice:4x4x8 --dead switch:48
refused "no such kind" '--dead host:1: expected switch:NUMBER or cable:NUMBER, with commas between' \
    predict slice:4x4x8 --dead host:1
refused "static wiring has no switches" 'static wiring has neither switches nor their cables, expected none dead' \
    predict slice:4x4x8 "${static[@]}" --dead switch:1
refused "an option of other jobs" '--degree says nothing of a slice, expected it without' \
    predict slice:4x4x8 --degree 2
refused "an option of slices" '--dead is of slices, expected slice:AxBxC in place of the graph' \
    predict zoo:alexnet --dead switch:1
exit $failed

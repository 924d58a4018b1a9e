#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Work in shards: the parts together are, byte for byte, what one run prints; parts that are damaged,
# missing, there twice or of other work are refused by name. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-shards.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
scenario=$root/scenarios/pac-ml-32.json

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  err: /' err | head -n 20
        echo "not ok $2"
        failed=1
    fi
}

# parts NAME N ARGS...: NAME.1 ... NAME.N
parts() {
    local name=$1 n=$2 i
    shift 2
    for ((i = 1; i <= n; i++)); do
        "$lightpath" "$@" --shard "$i/$n" >"$name.$i" 2>err </dev/null || return 1
    done
}

# same NAME ARGS...: one run and the merged parts of n shards, in all formats
same() {
    local name=$1 n form
    shift
    for form in --text --json --csv; do
        "$lightpath" "$@" ${form/--text/} >"one$form" 2>err </dev/null || result 1 "$name $form"
    done
    for n in $shards; do
        parts p "$n" "$@" || result 1 "$name in $n shards"
        for form in --text --json --csv; do
            "$lightpath" merge $(ls -r p.*) ${form/--text/} >merged 2>err </dev/null &&
                cmp -s "one$form" merged
            result $? "$name in $n shards, $form"
        done
        rm -f p.*
    done
}

# refused NAME WORDS PART...: exit 2, nothing on stdout, one line on stderr with these words
refused() {
    local name=$1 words=$2
    shift 2
    "$lightpath" merge "$@" >out 2>err </dev/null
    [ $? -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$words" err
    result $? "$name"
}

mkdir entries
cp "$root/scripts/meets_deadline.lua" "$root/scripts/random.lua" entries
cp "$root/tests/property/policies/fails.lua" entries
echo 'return 5' >entries/broken.lua
mkfifo entries/fifo.lua
# every number of shards for one command; of the others, which are merged by the same code, two (LP_SHARDS=all: all)
few=(--set generator.count=12 --set queue_capacity=2)
compare=(compare "$scenario" "${few[@]}" --policy random.lua --policy entries/fails.lua
    --policy meets_deadline.lua:max_degree=4 --seeds 1..3)

shards='1 2 3 4 5'
same compare "${compare[@]}"
[ "${LP_SHARDS:-}" = all ] || shards='2 5'
same sweep sweep "$scenario" "${few[@]}" --vary generator.load=0.4,0.9 \
    --vary cluster.ramp.racks_per_group=2,4 --seeds 7,1 --until 40
same tournament tournament "$scenario" "${few[@]}" --policies entries --seeds 1..6

# --- what is refused -------------------------------------------------------------------------------
parts p 3 "${compare[@]}"
refused "a shard is missing" "of 3 shards 1 are missing: 2" p.1 p.3
cp p.1 again
refused "a shard is there twice" "p.1 and again are both shard 1/3" p.1 again p.2 p.3
head -n -1 p.2 >cut
refused "a part without its end" "cut:" p.1 cut p.3
head -c $(($(wc -c <p.2) / 2)) p.2 >cut
refused "a part that is cut off" "the run was interrupted, or the file cut off" p.1 cut p.3
: >empty
refused "an empty part" "empty:1:" p.1 empty p.3
sed '2s/"hash":"./"hash":"x/' p.2 >changed
refused "a changed byte" "changed:" p.1 changed p.3
refused "a part that is no file" "is a folder" p.1 "$tmp" p.3
refused "what is no part" "" p.1 entries/random.lua p.3
parts q 2 "${compare[@]}"
refused "shards of other counts" "p.1 is one of 3 shards, q.1 one of 2" p.1 q.1
parts q 3 "${compare[@]}" --seeds 1..2
refused "other seeds" "p.1 and q.2 are no parts of one work: the seeds differ" p.1 q.2 p.3
parts q 3 "${compare[@]}" --set generator.load=0.3
refused "other options" "the options --set differ" p.1 q.2 p.3
parts q 3 "${compare[@]}" --until 10
refused "another end" "the options --until differ" p.1 q.2 p.3
echo '-- edited' >>entries/fails.lua
parts q 3 "${compare[@]}"
refused "a policy edited between shards" "the policy entries/fails.lua" p.1 q.2 p.3
parts q 3 tournament "$scenario" "${few[@]}" --policies entries --seeds 1..3
refused "another command" "the commands differ" p.1 q.2 p.3
cp "$scenario" other.json
cp -r "$root/scenarios/graphs" .
parts p 2 compare other.json "${few[@]}" --policy edf.lua --policy srpt.lua --seeds 1
sed -i 's/"racks_per_group": *4/"racks_per_group": 2/' other.json
parts q 2 compare other.json "${few[@]}" --policy edf.lua --policy srpt.lua --seeds 1
refused "a scenario edited between shards" "the scenario, or a graph of it, had other contents" p.1 q.2

# --- options ---------------------------------------------------------------------------------------
for bad in 0/3 4/3 3 a/b 1/ /2 1/2/3 ""; do
    "$lightpath" "${compare[@]}" --shard "$bad" >out 2>err </dev/null
    [ $? -eq 2 ] && [ ! -s out ] && grep -q "expected I/N" err
    result $? "--shard $bad is refused"
done
"$lightpath" "${compare[@]}" --shard 1/2 --json >out 2>err </dev/null
[ $? -eq 2 ] && grep -q "lightpath merge" err
result $? "--shard with --json is refused"

exit $failed

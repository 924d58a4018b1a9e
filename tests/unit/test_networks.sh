#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Networks from outside: two of them side by side, in sessions and in lines of moments, when their
# files are others or gone by then. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-networks.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
export XDG_STATE_HOME=$tmp/state
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
: >out >err
lp() {
    "$lightpath" "$@" >out 2>err
    status=$?
}
hash_of() { # ARGS...: of the end of a run
    "$lightpath" run published-32 --set generator.count=60 "$@" --hash 2>err
}
mkdir one two
networks() {
    cp "$root/scripts/pac_ml.json" one/w.json
    cp "$root/scripts/pac_ml_c.json" two/w.json
}
networks
one=(--policy pac_ml --param weights=one/w.json)
two=(--policy pac_ml --param weights=two/w.json)

# --- side by side ----------------------------------------------------------------------------------
sides=(--policy pac_ml:weights=one/w.json --policy pac_ml:weights=two/w.json --policy least_fragmenting:prefer=8)
lp compare published-32 --set generator.count=60 --seeds 1..3 "${sides[@]}" --json --threads 1
mv out alone
lp compare published-32 --set generator.count=60 --seeds 1..3 "${sides[@]}" --json --threads 3
[ $status -eq 0 ] && cmp -s alone out
result $? 'two networks and a rule are compared, with any number of threads'
all=0
for seed in 1 2 3; do
    for weights in one two; do
        hash=$(hash_of --policy pac_ml --param weights=$weights/w.json --seed $seed)
        [ ${#hash} -eq 16 ] && grep -q "$hash" alone || all=1
    done
done
result $all 'each as in a run of its own'
[ "$(hash_of "${one[@]}")" != "$(hash_of "${two[@]}")" ]
result $? 'networks differ'
lp compare published-32 --policy pac_ml:weights=one/w.json --policy pac_ml:weights=none.json
[ $status -eq 2 ] && grep -q 'there is no file none.json' err
result $? 'one that is not there is named'
echo '{"lightpath_network": 1, "encoding": "pac-ml"' >half.json
lp run published-32 --policy pac_ml --param weights=half.json
[ $status -eq 2 ] && grep -q 'half.json:2' err
result $? 'half of one is named'
sed 's/"hidden": 64/"hidden": 32/' one/w.json >narrow.json
lp run published-32 --policy pac_ml --param weights=narrow.json
[ $status -eq 2 ] && grep -q 'narrow.json:.*expected [0-9]* for [0-9]* numbers of the shape' err
result $? 'one of another shape than it says, too'

lp whatif published-32 "${one[@]}" --at d4
[ $status -eq 0 ] && grep -q '^> [0-9]* ways' out && ! grep -q 0x0x0 out
result $? 'servers that a network chose need not have a shape with a name'

# --- outside of its training --------------------------------------------------------------------------
# 3200 servers, where it was trained for 16 to 512; of two agents only the network is told of
rack=(--set cluster.ramp.servers_per_rack=200)
sides=(--policy pac_ml_queue --policy max_parallelism --seeds 1..2 --set generator.count=10)
said='outside of its training: the network was trained for servers 16 to 512, here 3200'
told() { # how often it was said
    [ $status -eq 0 ] && [ "$(grep -c "$said" out)" -eq "$1" ]
}
lp compare pac-ml-32 "${sides[@]}" "${rack[@]}"
told 1 && grep -q "^pac_ml_queue: $said" out
result $? 'compare says what a network was not trained for'
lp compare pac-ml-32 "${sides[@]}"
told 0
result $? 'and nothing where it was'
lp compare pac-ml-32 "${sides[@]}" "${rack[@]}" --json
[ $status -eq 0 ] && [ "$(grep -o '"outside_training":"[^"]*servers 16 to 512, here 3200"' out | wc -l)" -eq 1 ] &&
    [ "$(grep -o '"outside_training":null' out | wc -l)" -eq 1 ]
result $? 'so does its JSON'
mv out alone
for i in 1 2; do
    "$lightpath" compare pac-ml-32 "${sides[@]}" "${rack[@]}" --shard $i/2 >part$i
done
lp merge part1 part2 --json
[ $status -eq 0 ] && cmp -s alone out
result $? 'and the parts of a work, joined'
lp sweep pac-ml-32 --vary cluster.ramp.servers_per_rack=2,200 "${sides[@]}"
told 1
result $? 'a sweep says it of the points that lie outside'
few=(--zoo --until 20000 --set generator.replication=50 "${rack[@]}")
lp experiment pac-ml --betas AB --seeds 101 --agents pac_ml_queue.lua --agents max "${few[@]}"
told 1 && grep -q "^pac_ml_queue.lua, beta_A: $said" out
result $? 'an experiment too'
lp experiment pac-ml --betas AB --seeds 101 --agents pac_ml_queue.lua --agents max "${few[@]}" --json
[ $status -eq 0 ] && [ "$(grep -o '"outside_training":"' out | wc -l)" -eq 2 ]
result $? 'for each of its distributions as JSON'
lp env --leaderboard pac_ml_queue.lua max --betas A "${few[@]}"
told 1
result $? 'and the leaderboard'

# --- in a session ------------------------------------------------------------------------------------
cat >script <<'END'
:write a.session
n*9
:fork policy=pac_ml param=weights=two/w.json
n*4
:branch main
n*3
:fork degree=2
n*3
END
lp published-32 --set generator.count=60 "${one[@]}" --keys script --save-screen screen --size 100x30
[ $status -eq 0 ] && [ "$(grep -c '"is":"policy"' a.session)" -eq 2 ]
result $? 'a session has the networks of its branches'
lp replay a.session --verify
mv out before
[ $status -eq 0 ] && grep -q '^verified: all [0-9]* steps' before
result $? 'it is replayed and verified'
cp two/w.json one/w.json
lp replay a.session --verify
[ $status -eq 0 ] && cmp -s out before
result $? 'also when the file is another one by then'
rm one/w.json two/w.json
lp replay a.session --verify
[ $status -eq 0 ] && cmp -s out before
result $? 'or gone'
networks
sed '3s/int16/int61/' a.session >b.session
lp replay b.session --verify
[ $status -eq 2 ] && grep -q 'b.session:3: the line is damaged' err
result $? 'a network that was changed in the file is noticed'

# --- in a line of a moment ------------------------------------------------------------------------------
printf 'n*9\n:fork degree=2\nn*4\n:yank moment line\n' >script
lp published-32 --set generator.count=60 "${one[@]}" --keys script --save-screen screen --size 100x30
line=$(sed -n 's/^lightpath //p' line)
again() {
    eval "\"$lightpath\" $line --save-screen - --size 100x30" >out 2>err
    status=$?
}
again
[ $status -eq 0 ] && [ -n "$line" ] && ! grep -q 'not as it was' out
result $? 'a line leads back to its moment'
cp two/w.json one/w.json
again
[ $status -eq 0 ] && grep -q 'not as it was: the policy or a parameter was changed' out
result $? 'another network there is told'
rm one/w.json
again
[ $status -eq 2 ] && grep -q 'there is no file one/w.json' err
result $? 'and none'
exit $failed

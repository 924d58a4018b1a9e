#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every lesson: what it needs, its numbers computed again, its exercise with the solutions that must
# pass and must not (scenarios/lessons/solutions/), its handout, the length of its steps, and the
# demonstrations. The numbers and solutions of every other lesson are in test_lessons_odd.sh; those of the
# two longest only with LP_LESSONS=all (tests/tui/lessons.sh).
set -u
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
if [ ! -x "$program" ]; then
    echo "skip lessons: there is no program $program"
    exit 0
fi
. tests/many/many.sh
. tests/tui/lessons.sh

# code N COMMAND...: exits with N
code() {
    local expected=$1 found
    shift
    "$@" >"$work/out" 2>&1
    found=$?
    [ "$found" -eq "$expected" ] || { echo "exit code $found" >>"$work/out" && return 1; }
}

# teaches LESSON: its handout has what each must have
teaches() {
    cp "$work/handout/$1" "$work/out" && ! grep -qE '^(exit status|signal)' "$work/out" &&
        grep -q '^[0-9]* minutes\. Goal: ' "$work/out" && grep -q '^\*\*Question' "$work/out" &&
        grep -q '^## Exercise$' "$work/out" && grep -q '^## Answers$' "$work/out" &&
        ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$work/out"
}

for file in scenarios/lessons/*.json; do
    grep -qx "$(basename "$file" .json)" <<<"$lessons" || { echo "not ok lessons: $file is not listed" && failed=1; }
done
mkdir "$work/handout"
for name in $lessons; do
    one_case "$name" lesson "$name" --handout
done | many "$program" "$work/handout"
for name in $lessons; do
    teaches "$name"
    verdict "lesson $name: minutes, goal, question, exercise"
done
verifies even

# Numbers of one sum stand beside each other as numbers that add up: each is in the lesson's text, and
# both sides agree within half of the last digit of the least precise one.
adds_up() {
    local name=$1 sum=$2 number
    for number in ${sum//[=+-]/ }; do
        grep -qF -- "$number" "$work/handout/$name" || { echo "$number is not in the text" && return 1; }
    done
    awk -v sum="$sum" 'BEGIN {
        n = split(sum, word, " "); sign = 1; least = 99
        for (i = 1; i <= n; i++) {
            if (word[i] == "=") { total = value; value = 0; sign = 1; continue }
            if (word[i] == "+" || word[i] == "-") { sign = word[i] == "+" ? 1 : -1; continue }
            digits = index(word[i], ".") ? length(word[i]) - index(word[i], ".") : 0
            least = digits < least && word[i] !~ /^[0-9]$/ ? digits : least # single digits: whole numbers
            value += sign * word[i]
        }
        off = total - value; off = off < 0 ? -off : off
        if (off > 0.5 * 10 ^ -least + 1e-9) { print sum ": " total " and " value; exit 1 }
    }'
}
while IFS=: read -r name sum; do
    adds_up "$name" "$sum" >"$work/out"
    verdict "lesson $name: $sum"
done <<'END'
1-graph: 19.3 = 18 + 1.3
1-graph: 27 = 9 + 18
1-graph: 36 = 2 + 3 + 6 + 1 + 2 + 6 + 12 + 4
2-splitting: 8.59 = 5 + 3.28 + 0.31
6-first-policy: 67 = 77 - 15 + 5
7-fragmentation: 298.7 = 407.5 - 108.8
7-fragmentation: 228.8 = 108.8 + 120
13-circuits: 80 = 16 + 32 + 32
END
adds_up 2-splitting ' 8.59 = 5 + 3.28 ' >"$work/sum" && echo "5 + 3.28 is taken for 8.59" >"$work/out"
! grep -q . "$work/out" 2>/dev/null && grep -q '8.59' "$work/sum"
verdict "lessons: a sum that does not add up is found"

# a network as a solution: one that lets jobs wait, one that answers once, none
network=scripts/pac_ml_queue_published.json
code 0 "$program" lesson 10 --check $network && grep -q '^passed' "$work/out"
verdict "lessons: a network is marked"
code 1 "$program" lesson 10 --check scripts/pac_ml_d.json && grep -q '^not yet (0 of 10 points, 6 needed): too many jobs are lost' "$work/out"
verdict "lessons: one that answers once does not pass"
echo '{"lightpath_network": 1' >"$work/half.json"
code 2 "$program" lesson 10 --check "$work/half.json" && grep -q 'half.json:' "$work/out"
verdict "lessons: a broken network is bad input"

echo 'return {' >"$work/broken.lua"
code 2 "$program" lesson 1 --check "$work/broken.lua"
verdict "lessons: a solution that does not load is bad input"
printf 'return { name = "x", api = 1, partition = function() error("oh") end }\n' >"$work/fails.lua"
code 1 "$program" lesson 1 --check "$work/fails.lua" && grep -q 'the policy fails: .*oh' "$work/out"
verdict "lessons: a solution that fails is told so"
code 2 "$program" lesson nosuch && grep -q 'there is no lesson "nosuch"' "$work/out"
verdict "lessons: an unknown name"
code 2 "$program" lesson --check x.lua
verdict "lessons: --check needs a name"
code 0 "$program" lesson 2 --handout --solutions && grep -q '^- not a) 16 times: ' "$work/out" &&
    grep -q '^- l2-limit.lua, 10 of 10 points$' "$work/out" && grep -q '^function policy:partition' "$work/out" &&
    grep -q '^- share.lua, 2 of 10 points: splitting is not free$' "$work/out"
verdict "lessons: a handout for whoever teaches"
code 0 "$program" lesson 2 --handout --student && ! grep -qE '^- not |policy:partition|## Answers' "$work/out"
verdict "lessons: students get neither whys nor solutions"
code 2 "$program" lesson 2 --handout --student --solutions && grep -q 'expected one of them' "$work/out"
verdict "lessons: a handout is for one of both"
code 2 "$program" lesson scenarios/rigid.json --handout && grep -q 'has no lesson' "$work/out"
verdict "lessons: a scenario without one"
sed "s|\"shows\": \"36 ms\"|\"shows\": \"37 ms\"|; s|\"graphs/|\"$PWD/scenarios/lessons/graphs/|" \
    scenarios/lessons/1-graph.json >"$work/false.json"
code 1 "$program" lesson "$work/false.json" --verify &&
    grep -q 'step 2: shows "37 ms", but it is 0.036' "$work/out" &&
    grep -q 'step 2 names 36, which no fact shows' "$work/out"
verdict "lessons: a number that is not true is found"

sed "s|\"the step begins\"|{\"value\": \"so\", \"hidden\": true}|
    s|\"the last gradient has come\"|{\"value\": \"so\", \"hidden\": true}|; s|\"the ring's last bucket has gone\"|{\"value\": \"so\", \"hidden\": true}|" \
    scenarios/lessons/12-rails.json >"$work/hides.json"
code 1 "$program" lesson "$work/hides.json" --verify && grep -q 'step 3: the table hides all of its values' "$work/out"
verdict "lessons: a table that hides everything is found"

# what a lesson may ask of a pod, and how it is refused
circuits=scenarios/lessons/13-circuits.json
refuses() { # refuses WORDS FROM TO
    sed "s|$2|$3|" "$circuits" >"$work/pod.json"
    code 2 "$program" lesson "$work/pod.json" --verify && grep -qF "$1" "$work/out"
    verdict "lessons: refused: $1"
}
refuses 'there is no result "slices[4x4x8].cross" of a pod' 'slices\[4x4x8\].cross_connects' 'slices[4x4x8].cross'
refuses '4x4x9' 'slices\[4x4x8\].cross_connects' 'slices[4x4x9].cross_connects'
refuses 'supply[...]: expected cubes of a slice' 'supply\[16 at 0.99\]' 'supply[16]'
refuses 'neither" of a pod' 'supply\[16 at 0.99\].switched' 'supply[16 at 0.99].neither'

# the demonstrations show what they say, at every size: "# lightpath SCENARIO --keys ..."
mkdir "$work/demo"
demos() {
    local demo size
    for demo in scenarios/demos/*.keys; do
        for size in 80x24 100x30 200x60; do
            "$1" "$demo" $size
        done
    done
}
demo_case() {
    one_case "$(basename "$1") $2" "$(sed -n 's/^# lightpath \([^ ]*\) .*/\1/p' "$1")" --keys "$1" --size "$2" --save-screen "$work/screen $(basename "$1") $2"
}
demo_verdict() {
    cp "$work/demo/$(basename "$1") $2" "$work/out" && [ ! -s "$work/out" ] && [ -s "$work/screen $(basename "$1") $2" ]
    verdict "demo $(basename "$1") $2"
}
demos demo_case | many "$program" "$work/demo"
demos demo_verdict
# a step is short enough to be read while somebody talks
for name in $lessons; do
    awk '
        function tell() { if (words > 60) print title ": " words " words, at most 60" }
        /^## / { tell(); title = $0; words = 0; text = /^## [0-9]+\./; next }
        /^On the screen:/ || /^\*\*/ || /^!\[/ || /^\|/ { text = 0 }
        text { words += NF }
        END { tell() }' "$work/handout/$name" >"$work/out"
    [ ! -s "$work/out" ]
    verdict "lesson $name: at most 60 words a step"
done
exit $failed

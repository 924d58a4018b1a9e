#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Marking: points, runs, seeds, reasons, limits, a student's own numbers, and policies that must
# pass and fail, on a lesson of its own.
set -u
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
if [ ! -x "$program" ]; then
    echo "skip lesson marks: there is no program $program"
    exit 0
fi
program=$(realpath "$program")
work=$(mktemp -d "${TMPDIR:-/tmp}/marks.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# verdict NAME: of the command before
verdict() {
    if [ $? -eq 0 ]; then
        echo "ok $1"
    else
        cat out
        echo "not ok $1"
        failed=1
    fi
}

# code N COMMAND...: exits with N
code() {
    local expected=$1 found
    shift
    "$@" >out 2>&1
    found=$?
    [ "$found" -eq "$expected" ] || { echo "exit code $found" >>out && return 1; }
}

# says TEXT: so does what was printed
says() {
    grep -qF -- "$1" out || { echo "expected: $1" >>out && return 1; }
}

mkdir solutions
# ways NUMBER DOC: a policy that always splits so many ways
ways() {
    printf 'return { name = "ways", api = 1, doc = "%s", partition = function(self, job, cluster)\n  return %s\nend }\n' "$2" "$1"
}
ways 4 "four, since GNMT is slow" >solutions/four.lua
ways 1 "nobody waits" >solutions/one.lua
ways 'job.steps == 50 and 4 or 1' "by steps" >solutions/steps.lua
printf 'return { name = "bad", api = 1, partition = function(self, job, cluster) return nil .. 1 end }\n' >bad.lua
printf 'return { name = "slow", api = 1, partition = function(self, job, cluster)\n  for _ = 1, 3 do for _, d in ipairs(cluster:degrees(job)) do cluster:predict(job, { degree = d }) end end\n  return 1\nend }\n' >slow.lua

cat >lesson.json <<'JSON'
{
  "lightpath": 1, "name": "own", "seed": 1, "semantics": "corrected",
  "cluster": { "fabric": "ideal", "ideal": { "servers": 8 }, "server": { "device": "A100", "memory": "80 GB" } },
  "graphs": [ { "id": "alexnet", "zoo": "alexnet" } ],
  "generator": { "count": 40, "load": 0.9, "interarrival": "exponential", "steps": 50,
                 "max_jct_fraction": { "uniform": { "min": 0.3, "max": 1, "decimals": 2 } } },
  "partition": { "max_degree": 8, "min_op_time": "10 us" },
  "policy": { "script": "max_parallelism.lua" },
  "lesson": {
    "minutes": 1, "goal": "mark", "steps": [ { "title": "t", "text": "x" } ],
    "exercise": {
      "task": "split", "hints": [ "more than once" ], "done": "well done", "pass": 6,
      "runs": [ { "name": "first" }, { "name": "others", "hidden": true, "seeds": [ 2, 3 ] } ],
      "checks": [
        { "run": "first", "points": 4, "name": "four ways", "result": "jobs[0].degree", "min": 4, "max": 4,
          "otherwise": [ { "lua": "job(0).state == 'completed'", "say": "in time" }, { "result": "jobs[0].degree", "max": 1, "say": "nothing is split" }, "not four" ] },
        { "run": "others", "points": 3, "result": "summary.arrived", "min": 40, "max": 40, "otherwise": "all should come" },
        { "run": "others", "points": 1, "lua": "job(0).state == 'completed'", "otherwise": "it should run" },
        { "points": 1, "doc": "vgg|gnmt", "otherwise": "name a model" },
        { "points": 1, "source": "STEPS", "absent": true, "otherwise": "not by steps" } ],
      "passes": [ { "file": "four.lua", "points": 10 }, { "file": "steps.lua", "points": 8 } ],
      "fails": [ { "file": "one.lua", "points": 4, "says": "nothing is split" } ],
      "own": { "seeds": [ 5, 9 ], "set": [ [ "generator.load=0.5", "generator.load=0.6" ] ] } } } }
JSON

code 0 "$program" lesson lesson.json --check solutions/four.lua && says 'passed (10 of 10 points): well done' &&
    says '   4 of 4   first: four ways'
verdict "marks: every point"
code 0 "$program" lesson lesson.json --check solutions/steps.lua && says 'passed (8 of 10 points)' &&
    says '   0 of 1   name a model' && says '   0 of 1   not by steps'
verdict "marks: enough points, and what is missing"
code 1 "$program" lesson lesson.json --check solutions/one.lua &&
    says 'not yet (4 of 10 points, 6 needed): nothing is split'
verdict "marks: the reason that applies"
code 0 "$program" lesson lesson.json --check solutions/four.lua --json &&
    says '"passed":true,"points":10,"of":10,"pass":6' &&
    says '"run":"others","hidden":true,"name":null,"result":"summary.arrived","found":40,"held":true,"points":3,"of":3,"says":null' &&
    [ "$(wc -l <out)" -eq 6 ]
verdict "marks: as JSON, a line for each check"
code 1 "$program" lesson lesson.json --check bad.lua && says 'the policy fails: '
verdict "marks: a policy that fails"
code 1 "$program" lesson lesson.json --check slow.lua --time-limit 1us && says 'it computes for longer than 1e-06 s' &&
    says 'it was not run: the time is up'
verdict "marks: the limit of time"
code 2 "$program" lesson lesson.json --check solutions/four.lua --max-memory 1kB
verdict "marks: the limit of memory"
code 0 "$program" lesson lesson.json --check solutions/four.lua --json --id ada && cp out ada &&
    grep -qE '"id":"ada","own":"seed [5-9], generator.load=0.[56]"' ada &&
    "$program" lesson lesson.json --check solutions/four.lua --json --id ada | cmp -s - ada
verdict "marks: a student's own numbers are the same again"
for id in ada bea cai dan eve fay gus; do
    "$program" lesson lesson.json --check solutions/four.lua --json --id $id | grep -o '"own":"[^"]*"'
done | sort -u >own
[ "$(wc -l <own)" -gt 2 ]
verdict "marks: and differ from student to student"
code 2 "$program" lesson lesson.json --check solutions/four.lua --param nosuch=1 && says 'nosuch'
verdict "marks: parameters of the policy"

code 0 "$program" lesson lesson.json --verify && says 'passes: four.lua, 10 of 10 points' &&
    says 'fails: one.lua, 4 of 10 points: nothing is split' && says '3 policies marked, 0 wrong'
verdict "marks: known policies are marked"
sed 's/"points": 4, "says": "nothing is split"/"points": 3/; s/"four.lua", "points": 10/"one.lua"/; s/"steps.lua", "points": 8/"gone.lua"/' lesson.json >wrong.json
code 1 "$program" lesson wrong.json --verify && says 'wrong: it should pass' && says 'wrong: 3 points are expected' &&
    says 'gone.lua' && says '3 wrong'
verdict "marks: and are found to do otherwise"
sed 's/"says": "nothing is split"/"says": "too late"/' lesson.json >wrong.json
code 1 "$program" lesson wrong.json --verify && says 'wrong: no reason says "too late"'
verdict "marks: as are their reasons"
sed 's/"summary.arrived"/"summary.arrivals"/' lesson.json >wrong.json
code 2 "$program" lesson wrong.json --check solutions/four.lua && says 'there is no result "summary.arrivals"'
verdict "marks: a result that there is not"

# ---- what is on the screen ----

# step TEXT CHOICE HIDE FACTS: the lesson with this step
step() {
    sed "s|\"title\": \"t\", \"text\": \"x\"|\"title\": \"t\", \"text\": \"$1\", \"do\": [ \"seek d8\" ], \"panes\": [ \"jobs\" ], \"facts\": [ $4 { \"shows\": \"jobs\", \"lua\": \"'jobs'\" } ], \"question\": { \"ask\": \"q\", \"choices\": [ \"none\", \"$2\" ], \"answer\": \"b\", \"reveal\": \"r\", \"hide\": [ $3 ] }|" lesson.json
}
arrived='{ \"shows\": \"0.123\", \"cited\": \"somebody\" },'
step 'a share of 0.123' 'many' '' "$arrived" >screen.json
code 0 "$program" lesson screen.json --verify
verdict "screens: a number that the step states"
step 'a share of 0.123' 'many' '' '' >nowhere.json
code 1 "$program" lesson nowhere.json --verify && says 'nowhere.json:10:' &&
    says 'step 1: 0.123 is in its text, and neither on its screen nor in its figure or facts'
verdict "screens: a number that is nowhere is found, with its place"
sed 's|"none", "many"|{ "text": "none", "why": "no", "look": [ "view jobs", "mark row 99" ] }, "many"|' screen.json >look.json
code 2 "$program" lesson look.json --verify && says 'look.json:10:' && says '"row 99" is not on the screen'
verdict "screens: a wrong choice that shows what is not there is found, with its place"
free='figure": { "kind": "table", "title": "f", "columns": [ "a" ], "rows": [ [ { "lua": "0.12345", "shows": "0.1234 s" } ] ] }, "question'
step x '0.123 s' '' '{ \"shows\": \"0.123\", \"cited\": \"x\" },' | sed "s|\"question|\"$free|; s|\"panes\": . \"jobs|\"panes\": [ \"figure|; s|0.1234 s|0.1235 s|" >leak.json
code 1 "$program" lesson leak.json --verify && says 'is on the screen, and answers the question that is open'
verdict "screens: the answer of an open question is found in other digits"
sed 's|"hide": \[  \]|"hide": [ "0.1235 s" ]|' leak.json >hidden.json
code 0 "$program" lesson hidden.json --verify
verdict "screens: unless it is hidden"

# ---- figures ----

sed 's/"title": "t", "text": "x"/"title": "t", "text": "x", "question": { "ask": "q", "choices": [ "none", "2" ], "answer": "a", "reveal": "r" }, "figure": FIGURE/' lesson.json >figure.json
plot='{ "kind": "plot", "title": "lost", "x": { "log": true }, "y": { "unit": "%" }, "guess": true, "series": [ { "name": "lost", "result": "summary.blocking_rate", "points": [ { "x": 1, "set": [ "policy.params.max_degree=1" ] }, { "x": 8, "hidden": true } ] }, { "name": "line", "formula": "100 \/ x" } ] }'
table='{ "kind": "table", "title": "ways", "columns": [ "", "a" ], "rows": [ [ "first", { "lua": "job(0).steps", "shows": "50 steps" } ], [ "all", { "result": "summary.arrived", "hidden": true } ] ] }'
sed "s/FIGURE/$plot/" figure.json >plot.json
sed "s/FIGURE/$table/" figure.json >table.json
code 0 "$program" lesson plot.json --verify && says '2 numbers computed'
verdict "figures: every point is computed"
code 0 "$program" lesson table.json --handout && says '| first | 50 steps |' && says '| all | 40 |'
verdict "figures: a table on paper"
code 0 "$program" lesson table.json --handout --student && says '| all | ? |' && ! grep -q '## Answers' out
verdict "figures: what is hidden is not on a student's paper"
sed 's/50 steps/51 steps/' table.json >wrong.json
code 1 "$program" lesson wrong.json --verify && says 'shows "51 steps", but it is 50'
verdict "figures: a value that is not as shown"
counts='{ "kind": "table", "title": "jobs", "columns": [ "four", "own" ], "rows": [ [ { "result": "jobs[steps=50]", "shows": "40" }, { "result": "jobs[7].id", "shows": "7" } ] ] }'
sed "s/FIGURE/$counts/" figure.json >counts.json
code 0 "$program" lesson counts.json --verify
verdict "figures: what is counted in a result, and one job of it"
sed 's/"40"/"41"/; s/"shows": "7"/"shows": "8"/' counts.json >wrong.json
code 1 "$program" lesson wrong.json --verify && says 'shows "41", but it is 40' && says 'shows "8", but it is 7'
verdict "figures: what is counted wrongly is found"
sed 's/100 \/ x/x x/; s|100 / x|x x|' plot.json >wrong.json
code 1 "$program" lesson wrong.json --verify && says 'the formula is nowhere a number'
verdict "figures: a formula that is none"
sed 's/summary.blocking_rate/summary.nosuch/' plot.json >wrong.json
code 1 "$program" lesson wrong.json --verify && says 'there is no result "summary.nosuch"'
verdict "figures: a value that there is not"
printf 'view figure\nexpect "lost ---"\nexpect "-- line"\nyank figure FILE.csv\nlesson b\nview figure\nexpect "? your guess"\nalong\n' | sed '/along/d; s/lost ---/lost/' >keys
for size in 80x24 100x30 200x60; do
    rm -f FILE.csv
    code 0 "$program" lesson plot.json --keys keys --size $size && grep -q '^lost,1,' FILE.csv && grep -q '^lost,8,$' FILE.csv
    verdict "figures: a plot at $size, as CSV without what is hidden"
done
printf 'view figure\nexpect "50 steps"\nexpect "?"\n' >keys
for size in 80x24 40x12 20x5; do
    code 0 "$program" lesson table.json --keys <(head -1 keys) --size $size
    verdict "figures: a table at $size"
done
exit $failed

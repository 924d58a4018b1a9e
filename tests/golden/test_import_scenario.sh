#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Traces in scenarios: named by the key "jobs" and written by `import` they are the same jobs, packed or
# not; a session of one plays again where the trace is gone; what is wrong has its place. Needs
# $LIGHTPATH, the program, and gzip.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-import.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok import: $2"
    else
        sed 's/^/  /' err | head -n 12
        echo "not ok import: $2"
        failed=1
    fi
}
lp() { "$lightpath" "$@" >out 2>err </dev/null; }
same() { cmp -s "$1" "$2" || { diff "$1" "$2" | head >>err; false; }; }

cat >t.swf <<'SWF'
; Version: 2.2
; MaxProcs: 8
1 0 5 100 4 -1 -1 4 200 -1 1 3 1 -1 1 -1 -1 -1
2 10 5 50 8 -1 -1 4 -1 -1 1 4 1 -1 1 -1 -1 -1
3 20 5 70 2 -1 -1 4 -1 -1 5 3 1 -1 1 -1 -1 -1
4 21 5 0 2 -1 -1 4 -1 -1 1 3 1 -1 1 -1 -1 -1
5 22 5 9 9 -1 -1 9 -1 -1 1 3 1 -1 1 -1 -1 -1
SWF
gzip -k t.swf
head='"lightpath": 1, "name": "t", "cluster": {"fabric": "ideal", "ideal": {"servers": 8}}, "policy": {"script": "fit_first.lua"}'
echo "{$head, \"jobs\": {\"import\": \"swf\", \"file\": \"t.swf\"}}" >direct.json
echo "{$head, \"jobs\": {\"import\": \"auto\", \"file\": \"t.swf.gz\"}}" >packed.json

lp import swf t.swf --servers 8 -o written.json && grep -q 'left out *1 of no duration, 1 wider than the cluster' err
result $? "the report says what is left out"
grep -q 'next *lightpath written.json' err
result $? "... and what to do next"
grep -q 'load .*1.00 at 47 servers; the cluster has 8 (5.88)' err
result $? "... and how that loads the cluster that is given: 940 server seconds in 20 s"
grep -q 'taken *3 jobs of 2 users: ' err && grep -q 'groups *1 100.0 % of the hours' err
result $? "... and whose they are"
grep -q 'requested time *stands in 1 job, median 2 times what they took' err
result $? "... and how much longer than needed they asked: 200 s for 100"
grep -q 'together *load 5.88 over 0.0 d; policy fit_first.lua, queue_capacity 3$' err
result $? "... and what the scenario is made of"
echo '1 0 5 3599 1 -1 -1 4 200 -1 1 3 1 -1 1 -1 -1 -1' >hour.swf
lp doctor hour.swf && grep -q 'taken *1 job of 1 user: 1.00 processor hours' out && grep -q 'try --set cluster.ideal.servers=' out
result $? "hours are rounded, and a size is proposed where none is given"
cp direct.json onto.json
lp import swf t.swf --cluster onto.json -o onto.json
[ $? -eq 2 ] && cmp -s onto.json direct.json && grep -q 'onto.json is read and written' err
result $? "the cluster's file is not written over"
refused() { # refused WORDS ARGUMENT...: nothing is made, and what is wrong is said
    local words=$1
    shift
    lp "$@"
    [ $? -eq 2 ] && [ ! -s out ] && grep -qF -- "$words" err
    result $? "$*: $words"
}
refused '--map changes nothing of swf: it is for csv' doctor swf t.swf --map id=a
refused '--gpus-per-node changes nothing of swf: it is for slurm-topology and topograph, also as --cluster' \
    import swf t.swf --gpus-per-node 8
refused '--unit changes nothing of swf: it is for sacct, philly, helios and acme' doctor swf t.swf --unit node
refused '--kind changes nothing of swf' doctor auto t.swf --kind host
refused '--fit changes nothing of edges: it is for formats of jobs' doctor edges t.swf --fit cap
refused '--seed draws a --sample, which is not asked for' doctor swf t.swf --seed 3
: >nothing
refused 'nothing: the file is empty' doctor nothing
lp import swf t.swf --cluster "$root/scenarios/leaf-spine.json" -o on-leaves.json && lp run on-leaves.json --csv &&
    grep -q '"topology": *"leaf_spine"' on-leaves.json && [ "$(grep -c completed out)" -eq 4 ]
result $? "the cluster of a scenario that ships, whose policy is one of the program's"
lp check written.json direct.json packed.json
result $? "all three are scenarios"

for file in direct packed; do
    "$lightpath" run $file.json --csv >$file.csv 2>err </dev/null
done
"$lightpath" run written.json --policy fit_first.lua --csv >written.csv 2>err </dev/null
same direct.csv packed.csv
result $? "packed and not are the same jobs"
same direct.csv written.csv
result $? "named and written are the same jobs"
[ "$(grep -c completed direct.csv)" -eq 3 ]
result $? "nobody is turned away"

# 4 of 8 servers from 0 to 100; job 2 needs all of them
[ "$("$lightpath" run direct.json --json >out 2>err; python3 -c 'import json
print([(j["key"], j["start"], j["user"]) for j in json.load(open("out"))["jobs"]])')" = \
  "[('1', 0, '3'), ('2', 100, '4'), ('3', 20, '3')]" ]
result $? "starts, ids and users"

printf ':write kept.session\nn*20\n:write\n' >walk
"$lightpath" direct.json --keys walk --size 80x24 --save-screen screen >out 2>err </dev/null
mkdir away && mv t.swf t.swf.gz away
hash=$("$lightpath" run written.json --policy fit_first.lua --hash 2>>err)
lp replay kept.session --verify --json && grep -q "\"hash\":\"$hash\"" out
result $? "a session plays again without the trace"
mv away/* .

sed 's/"t.swf"/"t.swf", "sample": 1, "seed": 3, "keep": "completed"/' direct.json >few.json
lp run few.json --csv
result $? "options of an import stand beside the file"

bad() { # bad NAME JOBS WORDS
    echo "{$head, \"jobs\": $2}" >bad.json
    lp check bad.json
    [ $? -eq 2 ] && grep -qF "$3" err
    result $? "$1"
}
bad "no such file" '{"import": "swf", "file": "u.swf"}' 'bad.json:1:'
bad "no such format" '{"import": "swff", "file": "t.swf"}' 'did you mean swf'
bad "a format without jobs" '{"import": "pipedream", "file": "t.swf"}' 'holds no jobs'
bad "no format that can be told" '{"import": "auto", "file": "bad.json"}' 'cannot be told'
bad "a key that is none" '{"import": "swf", "file": "t.swf", "smaple": 3}' 'sample'
bad "a window without jobs" '{"import": "swf", "file": "t.swf", "from": "1 h"}' 'no row of the trace'
sed '3s/100/long/' t.swf >long.swf
bad "a bad row has its place in the trace" '{"import": "swf", "file": "long.swf"}' 'long.swf:3:'

# the commands of docs/my-cluster.md, and the scenario that ships: its title and notes are by hand
while read -r line; do
    words=${line//.\/lightpath/"$lightpath"}
    words=${words//my.json/$tmp/my.json}
    case $line in *import*) ;; *--worst) ;; *) words="$words --save-screen - --size 100x30" ;; esac
    (cd "$root" && eval "$words" >"$tmp/out" 2>"$tmp/err" </dev/null)
    result $? "docs/my-cluster.md: $line"
done < <(grep -E '^    \./lightpath' "$root/docs/my-cluster.md")
grep -q '^worst  *remaining  *Wed 2026-03-04 18:56:40 ' out
result $? "... and the worst moment is the one of the page"
grep -vE '^  "(name|title|notes)":' "$root/scenarios/my-queue.json" >ships
grep -vE '^  "name":' my.json | same - ships
result $? "scenarios/my-queue.json is what import makes of its files"
"$lightpath" "$root/scenarios/my-queue.json" --size 100x30 --save-screen screen >out 2>err </dev/null
grep -q '^ TREE leaf' screen && grep -q 'needs 8 in one leaf' screen
result $? "... and opens on its tree, where somebody waits for a leaf"

lp run t.swf.gz
[ $? -eq 2 ] && grep -q 'lightpath import swf t.swf.gz' err
result $? "a trace given as a scenario says how it is imported"
exit $failed

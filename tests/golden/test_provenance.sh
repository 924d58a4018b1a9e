#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Results in JSON say where they come from: version, command, and every file that was read by what
# sha256sum prints of it. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-provenance.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
cp -r "$root/scenarios"/{two-servers.json,pac-ml-32.json,graphs} .
cat >jobs.swf <<'SWF'
; MaxProcs: 8
1 0 5 100 4 -1 -1 4 200 -1 1 3 1 -1 1 -1 -1 -1
2 10 5 50 8 -1 -1 4 -1 -1 1 4 1 -1 1 -1 -1 -1
SWF
echo '{"lightpath": 1, "cluster": {"fabric": "ideal", "ideal": {"servers": 8}}, "jobs": {"import": "swf", "file": "jobs.swf"}}' >swf.json
cp "$root/scripts/edf.lua" mine.lua
cp graphs/two-ops.txt other.txt

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  err: /' err | head -n 20
        echo "not ok $2"
        failed=1
    fi
}

# told NAME KINDS ARGS...: the inputs are of these kinds, each with the digits of its file
told() {
    local name=$1 kinds=$2
    shift 2
    "$lightpath" "$@" --json >out 2>err </dev/null &&
        grep -o '{"kind":"[^}]*}' out | sed 's/{"kind":"\(.*\)","file":"\(.*\)","sha256":"\(.*\)"}/\1 \3 \2/' >inputs &&
        [ "$(cut -d' ' -f1 inputs | sort -u | tr '\n' ' ')" = "$kinds " ] && head -n 1 inputs | grep -q ^scenario &&
        grep -v ' experiment:/' inputs | while read -r _ sum file; do echo "$sum  $file"; done | sha256sum --status -c
    result $? "$name: every file that was read"
    grep -q '"complete":true' out && grep -q "\"provenance\":{\"version\":\"[0-9.]*\",\"build\":\"[^\"]*\",\"command\":\[\"$1\",\"$2\"" out
    result $? "$name: version, build and command"
}

told "a run" "graph policy scenario" run two-servers.json --policy mine.lua
grep -q '"command":\["run","two-servers.json","--policy","mine.lua"\],' out && grep -q '"set":\[\],"param":\[\],"seeds":\[1\]}' out
result $? "a run: the command without --json"
told "a run with options" "graph policy scenario" run two-servers.json --policy mine.lua --set seed=7 --trace trace --until '1 s'
grep -q '"command":\["run","two-servers.json","--policy","mine.lua","--set","seed=7","--until","1 s"\],' out && grep -q '"set":\["seed=7"\],"param":\[\],"seeds":\[7\]}' out
result $? "a run with options: --set, its seed, and not where its trace went"
told "a trace of jobs" "policy scenario trace" run swf.json --policy mine.lua
told "a network" "network policy scenario" run pac-ml-32.json --set generator.count=3 --policy pac_ml
told "a comparison" "graph policy scenario" compare two-servers.json --policy mine.lua --policy srpt --seeds 1,2 --threads 1
told "a sweep over files" "graph policy scenario" sweep two-servers.json --policy mine.lua --vary 'graphs[0].file=graphs/two-ops.txt,other.txt' --seeds 1
grep -q '{"kind":"graph","file":"other.txt"' out
result $? "a sweep over files: the last of them, too"
mkdir many && cp mine.lua "many/a name, of letters.lua"
told "a tournament" "graph policy scenario" tournament two-servers.json --policies many --seeds 1
told "an experiment" "policy scenario" experiment pac-ml --zoo --seeds 1 --until 2e3 --betas A --agents max
told "many seeds" "graph policy scenario" run two-servers.json --policy mine.lua --seeds 1..3
"$lightpath" run - --policy mine.lua --json <two-servers.json >out 2>err &&
    grep -q "{\"kind\":\"scenario\",\"file\":\"-\",\"sha256\":\"$(sha256sum <two-servers.json | cut -d' ' -f1)\"}" out
result $? "standard input"
gzip -k two-servers.json && "$lightpath" run two-servers.json.gz --policy mine.lua --json >out 2>err &&
    grep -q "\"sha256\":\"$(sha256sum <two-servers.json | cut -d' ' -f1)\"}" out
result $? "a packed scenario by its contents"

# --- made again --------------------------------------------------------------------------------------
# again NAME ARGS...: the JSON of a command is made again, to the byte
again() {
    local name=$1
    shift
    "$lightpath" "$@" --json >result.json 2>err </dev/null
    "$lightpath" reproduce result.json >out 2>err </dev/null && [ "$(cat out)" = "result.json: the same, to the byte" ] && [ ! -s err ]
    result $? "$name is made again"
}
compare=(compare two-servers.json --policy mine.lua --policy srpt --seeds 1,2)
again "a run" run two-servers.json --policy mine.lua --set seed=7 --explain
again "a tournament" tournament two-servers.json --policies many --seeds 1..2
again "a sweep" sweep two-servers.json --policy mine.lua --vary 'graphs[0].file=graphs/two-ops.txt,other.txt' --seeds 1
again "an experiment" experiment pac-ml --zoo --seeds 1 --until 2e3 --betas A --agents max
again "a comparison" "${compare[@]}"
"$lightpath" "${compare[@]}" --out file >out 2>err && "$lightpath" reproduce file >out 2>err && [ "$(cat out)" = "file: the same, to the byte" ]
result $? "a file of results is made again"
"$lightpath" "${compare[@]}" --shard 2/3 >part 2>err && "$lightpath" reproduce part >out 2>err && [ "$(cat out)" = "part: the same, to the byte" ]
result $? "a part is made again"
# differs NAME CODE WORDS FILE
differs() {
    "$lightpath" reproduce "$4" >out 2>err </dev/null
    [ $? -eq "$2" ] && grep -qF -- "$3" out err
    result $? "$1"
}
sed 's/"mean_jct":0\.[0-9]/"mean_jct":0.7/' result.json >changed.json
differs "a number that was changed" 1 "changed.json:3: differs, although all inputs are the same" changed.json
sed 's/"build":"[^"]*"/"build":"another"/g' result.json >other.json
differs "another build is told" 0 "was made by version" other.json
grep -q '^other.json: the same, but for the version' out
result $? "... and the rest is compared"
sed 's/"build":"[^"]*"/"build":"another"/g' file >other
differs "another build, in a file of results" 0 "other: the same, but for the version" other
sed 's/"command":\["compare",/&"--curves","evil",/' result.json >evil.json
differs "a command that writes a file" 2 "says where results go" evil.json && [ ! -e evil ]
sed 's/"command":\["compare",/"command":["train",/' result.json >evil.json
differs "a command that makes no results" 2 "is of the command" evil.json
differs "what does not say where it comes from" 2 "does not say where it comes from" two-servers.json
head -n 3 file >cut
differs "a file that is not whole" 2 "was interrupted" cut
echo '-- edited' >>mine.lua
for kind in result.json file part; do
    differs "$kind: the input that was changed" 1 "mine.lua (policy): other contents than sha256" $kind
    [ "$(wc -l <out)" -eq 1 ]
    result $? "$kind: no other one"
done
mv mine.lua gone
differs "an input that is gone" 1 "mine.lua (policy): No such file or directory" result.json
cp "$root/scripts/edf.lua" mine.lua
"$lightpath" reproduce --inputs result.json >out 2>err && grep -q '^all [0-9]* inputs are the same$' out
result $? "--inputs runs nothing"

# --- interrupted -------------------------------------------------------------------------------------
"$lightpath" run pac-ml-32.json --set generator.count=1000000 --policy random --json >out 2>err &
child=$!
sleep 1
kill -TERM $child
wait $child
[ $? -eq 143 ] && tail -n 1 out | grep -q '"complete":false,"provenance":{'
result $? "a run that was interrupted is not complete"

exit $failed

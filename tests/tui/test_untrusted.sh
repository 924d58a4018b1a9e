#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Hostile names, notes, reasons, prints, files and arguments in every command: nothing that acts on
# a terminal is printed, neither as a result nor as a message. Letters of any script are.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=$(realpath "${LIGHTPATH:-build/release/lightpath}")
if [ ! -x "$program" ]; then
    echo "skip untrusted: there is no program $program"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/untrusted.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cp scenarios/pac-ml-32.json "$work/good.json"
cd "$work" || exit 1
failed=0

evil=$(printf 'E\033[31m\007\302\233J\342\200\256R\314\201\344\270\226\r\nX')
json='E\u001b[31m\u0007\u009bJ\u202eR\u0301\u4e16\u200b\u00ad\b\r\n\tX'
lua='"E\27[31m\7\155J\226\128\174R\204\129\228\184\150\255\8\r\n\tX"'
cat >s.json <<END
{ "lightpath": 1, "name": "$json", "title": "$json", "notes": "$json",
  "cluster": { "fabric": "ramp", "ramp": { "communication_groups": 2, "racks_per_group": 2, "servers_per_rack": 2,
    "node_bandwidth": "1.6 TB/s", "propagation_latency": "50 ns", "io_latency": "100 ns" }, "server": { "device": "A100" } },
  "graphs": [ { "id": "$json", "zoo": "alexnet", "batch": 32 } ],
  "jobs": [ { "graph": "$json", "arrival": 0, "steps": 5, "max_jct_fraction": 0.9 },
            { "graph": "$json", "arrival": 0.1, "steps": 5, "max_jct_fraction": 0.001 },
            { "graph": "$json", "arrival": 0.2, "steps": 5 } ],
  "policy": { "script": "p.lua" } }
END
cat >p.lua <<END
local E = $lua
local policy = { name = E, api = 1, params = { n = { default = 1, doc = E } } }
function policy:partition(job, cluster)
  print(E, job.id)
  explain{ columns = {E, "b"}, rows = {{E, 1}, {E, 2}}, chosen = 1 }
  if job.id == 1 then return nil, E end
  return 2, E
end
return policy
END
printf 'local policy = {name = "x", api = 1}\nfunction policy:partition(job) error(%s) end\nreturn policy\n' "$lua" >fails.lua
printf 'local x = %s error(x)\n' "$lua" >loads.lua
printf 'x = \033[31m\302\233\n' >syntax.lua
printf '{"lightpath": 1, "\033[31m": 2}' >raw.json
printf '{"lightpath": 1, "%s": 2}' "$json" >key.json
printf '{"lightpath_theme": 1, "name": "x", "like": "%s"}' "$json" >theme.json
printf '{"lightpath_keys": 1, "keys": {"%s": "%s"}}' "$json" "$json" >keys.json

acts='[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f\xad]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xef\xbb\xbf'
# hostile NAME ARGUMENT...: results and messages are clean, whatever the exit status (no signal).
# All are looked at together, at the end.
names=() bad=() turn=0
hostile() {
    local at=${#names[@]}
    names+=("$1")
    shift
    "$program" "$@" >"said/out.$at" 2>"said/err.$at" <input
    [ $? -lt 124 ] || bad[at]=signal
    [ -s "said/out.$at" ] || [ -s "said/err.$at" ] || bad[at]=${bad[at]:-nothing}
}
mkdir said
# unclean WHY: file names of standard input, which are those of `hostile`
unclean() {
    local file
    while read -r file; do bad[${file##*.}]=$1; done
}
verdicts() {
    local at
    local -a all=()
    for at in "${!names[@]}"; do all+=("said/out.$at" "said/err.$at"); done
    unclean "acts on a terminal" < <(LC_ALL=C grep -laP -- "$acts" "${all[@]}")
    unclean "is no UTF-8" < <(LC_ALL=C.UTF-8 grep -laxv '.*' "${all[@]}")
    for at in "${!names[@]}"; do
        if [ -z "${bad[at]-}" ]; then
            echo "ok untrusted: ${names[at]}"
        else
            echo "${bad[at]}:"
            head -c 2000 "said/out.$at" | cat -v
            head -c 2000 "said/err.$at" | cat -v
            echo "not ok untrusted: ${names[at]}"
            failed=1
        fi
    done
}
: >input

for how in "" --json --csv --explain "--json --explain" --blame; do
    # shellcheck disable=SC2086  # options are words
    hostile "run $how" run s.json $how
done
hostile "a trace" run s.json --trace -
hostile "a series" run s.json --series -
for policy in fails loads syntax; do
    hostile "run with a policy that $policy" run s.json --policy $policy.lua
    hostile "... as JSON" run s.json --policy $policy.lua --json
    hostile "policy check of it" policy check $policy.lua
done
hostile "policy check" policy check p.lua
hostile "policy list" policy list
hostile "policy list as JSON" policy list --json
hostile "check" check s.json raw.json key.json "$evil"
for command in run check compare whatif explain replay merge reproduce env train experiment import predict sweep tournament \
    presets paths keys completions help policy; do
    hostile "$command of a hostile word" $command "$evil"
    hostile "$command with a hostile option" $command "--$evil"
done
for option in --policy --param --set --seed --until --max-input --max-memory --trace --series; do
    hostile "run $option with a hostile value" run s.json $option "$evil"
done
hostile "a hostile parameter" run s.json --param "n=$evil"
hostile "a hostile key" run s.json --set "$evil=1"
hostile "a hostile name" run s.json --set "name=$evil"
hostile "whatif" whatif s.json
hostile "whatif as JSON" whatif s.json --json
hostile "explain" explain s.json --job 1
hostile "explain as JSON" explain s.json --job 1 --json
hostile "compare" compare s.json --policy p.lua --policy fails.lua
hostile "compare as CSV" compare s.json --policy p.lua --policy max_parallelism.lua --csv
# files and folders of such names, in every format
weird=$(printf 'W\033]52;c;aGk=\007\302\233\342\200\256,"\r\377q')
mkdir -p "league/$weird" && cp max_parallelism.lua "league/$weird.lua" 2>/dev/null || cp "$OLDPWD/scripts/max_parallelism.lua" "league/$weird.lua"
cp p.lua league/p.lua
cp good.json "$weird.json"
for how in "" --json --csv; do
    hostile "tournament of hostile files $how" tournament s.json --policies league --seeds 1..2 $how
    hostile "compare of a hostile file $how" compare "$weird.json" --set generator.count=5 --policy "league/$weird.lua" --seeds 1..2 $how
    hostile "sweep of a hostile file $how" sweep s.json --policy "league/$weird.lua" --vary "jobs[0].steps=1..2" --seeds 1 $how
    hostile "run of a hostile file $how" run "$weird.json" --set generator.count=5 --policy "league/$weird.lua" $how
    hostile "experiment with a hostile label $how" experiment pac-ml --zoo --seeds 1 --until 2e4 --agents "$weird=max" $how
    hostile "experiment with a hostile policy $how" experiment pac-ml --zoo --seeds 1 --until 2e4 --agents "max,league/$weird.lua" $how
done
hostile "a shard" compare s.json --policy "league/$weird.lua" --policy p.lua --seeds 1..2 --shard 1/1
cp "said/out.$((${#names[@]} - 1))" part
hostile "merge as CSV" merge part --csv
hostile "merge of a hostile part" merge "$weird"
hostile "reproduce of a hostile part" reproduce part
hostile "reproduce of a hostile file" reproduce "$weird"
hostile "a series under a hostile name" run s.json --series "$weird/x"
hostile "a trace under a hostile name" run s.json --trace "$weird/x"
hostile "a network under a hostile name" train s.json --out "$weird.json" --steps 8
hostile "a screen under a hostile name" good.json --save-screen "league/$weird"
hostile "a new policy under a hostile name" policy new mine -o "league/$weird.lua"
hostile "policy check of a hostile name" policy check "league/$weird.lua"
hostile "a lesson checked with a hostile name" lesson 1 --check "league/$weird.lua"
printf ':write %s\n' "league/$weird.session" >keys
hostile "a session under a hostile name" good.json --keys keys --save-screen -
printf ':record %s\n:yank %s\n:save-screen %s\n' "league/$weird.keys" "league/$weird.txt" "league/$weird.svg" >keys
hostile "other files under a hostile name" good.json --keys keys --save-screen -
hostile "the handout of a lesson" lesson 1 --handout
printf '%s' "$(sed 's/"name": "good"/x/' s.json)" >lesson.json
for variable in LIGHTPATH_DATA LIGHTPATH_PROFILES XDG_STATE_HOME XDG_CONFIG_HOME HOME TERM COLUMNS NO_COLOR LANG; do
    for words in "paths" "paths --json" "policy list" "run nothing" "experiment pac-ml --seeds 1 --until 2e4 --agents max" "good.json --save-screen -"; do
        export "$variable=$weird"
        # shellcheck disable=SC2086
        hostile "$words with a hostile $variable" $words
        unset "$variable"
    done
done
hostile "tournament" tournament s.json --policy p.lua --policy max_parallelism.lua
hostile "sweep" sweep s.json --vary "jobs[0].steps=1..3" --policy p.lua --json
hostile "sweep of a hostile path" sweep s.json --vary "$evil=1..2" --policy p.lua
hostile "a hostile theme" good.json --theme theme.json --save-screen -
hostile "hostile keys" good.json --keymap keys.json --save-screen -
for option in --theme --keymap --keys --size --at --fork --branch --expect; do
    hostile "the explorer's $option with a hostile value" s.json --save-screen - $option "$evil"
done
printf '\n\nn\nn\nc\nl\n\n\n\n\n\n\n?\nq\n' >input
hostile "the mode for screen readers" s.json --plain
: >input

# every view of such a run, and every command with such words: each at one of the sizes in turn, with
# LP_SCREENS=all (.ci/run, make nightly) at all of them
for keys in 0 1 2 3 4 5 6 7 8 9 e w x c '?' b y 'n\nb' 'n\nx' ':story 0' ':story 1' ':policy fails.lua\nn\ne' ':lesson' \
    ":fork name=\"$evil\" degree=1\n7" ":filter $evil" ":lua $evil" ":rename $evil\n7" ':graph' ':inspect 0'; do
    told=$(printf '%q' "$keys" | tr -d '\\$' | tr -cd ' -~' | cut -c1-30)
    printf 'n\nn\n%b\n' "$keys" >keys
    all=(100x30 80x24 40x12)
    sizes=${all[turn++ % 3]}
    [ "${LP_SCREENS:-}" != all ] || sizes=${all[*]}
    for size in $sizes; do
        hostile "the screen of $told at $size" s.json --keys keys --size $size --save-screen -
    done
done

verdicts
exit $failed

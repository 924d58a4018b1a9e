#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Scenarios whose jobs have circuits that turn inside their steps: the step of `predict --rails`, what runs count, what
# docs/turning-light.md says of the shipped scenarios, and what is refused at which place. Needs $LIGHTPATH.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=$(realpath "${LIGHTPATH:-build/release/lightpath}")
work=$(mktemp -d "${TMPDIR:-/tmp}/rails.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
result() { # STATUS NAME
    if [ "$1" -eq 0 ]; then echo "ok rails: $2"; else echo "not ok rails: $2" && failed=1; fi
}
# "step turns waiting exposed" of the first job of a run.
first() { # SCENARIO [OPTION...]
    "$program" run "$@" --json | grep -oE '"(step_time|turns|waiting_turns|exposed_turns)":[0-9.]+' | head -n 4 | cut -d: -f2 | tr '\n' ' '
}
rails() { # TEXT: of predict
    "$program" predict zoo:llama-3-405b --device h100 --json --rails "$1" \
        --parallel "tensor=8 pipeline=16 data=4 batch=256 recompute=full sequence=true wait=false" |
        grep -oE '"(rails_time|turns|waiting_turns|exposed_turns)":[0-9.]+' | cut -d: -f2 | tr '\n' ' '
}

llama=scenarios/llama-405b-rails.json
[ "$(first $llama)" = "$(rails "delay=mixnet ports=2 serial=true")" ] && [[ $(first $llama) == *" 46 46 46 " ]]
result $? "a job's step on rails is that of predict: 3p-2 turns, all exposed"
early=$(first $llama --set cluster.rails.provisioned=true)
[ "$early" = "$(rails "delay=mixnet ports=2 serial=true provisioned=true")" ] && [[ $early == *" 46 15 15 " ]]
result $? "provisioned: p-1 are left"
[ "$(first $llama --set cluster.rails.delay=1s)" = "$(rails "delay=1s ports=2 serial=true")" ]
result $? "with another delay, too"
"$program" run $llama --json | grep -q '"turns":13800,"waiting_turns":13800,"exposed_turns":13800,"turn_time":3[0-9.]*'
result $? "the summary counts all steps"
"$program" run $llama | grep -q '^turns *13800 turns of circuits inside steps, 13800 of them exposed: 345 s, 2.49 % '
result $? "so does the text"

# where the time of a job goes, and its step with other hardware
jct=$("$program" run $llama --json | grep -oE '"jct":[0-9.]+' | head -n 1 | cut -d: -f2)
"$program" explain $llama --job 0 --json | grep -o '"account":{[^}]*}' | tr '{,}' '\n' | awk -F: -v jct="$jct" \
    '/:./ { s += $2; n++ } END { exit !(n > 3 && s > jct * (1 - 1e-9) && s < jct * (1 + 1e-9)) }'
result $? "what explain says of its time is its JCT"
half=$(first $llama --set cluster.rails.delay=12.5ms)
"$program" explain $llama --job 0 --json | grep -oE '"reconfiguration":\{"held":[0-9.]+,"step_time":[0-9.]+' |
    awk -F: -v half="${half%% *}" '{ exit !($4 > half * (1 - 1e-12) && $4 < half * (1 + 1e-12)) }'
result $? "half the time to turn is a step with half the delay"
printf ':change reconfiguration=100\n:run-until 1==2\n' >"$work/keys"
slow=$("$program" run $llama --set cluster.rails.delay=2.5s --json | grep -oE "\"jct\":[0-9.]+" | head -n 1 | cut -d: -f2 | xargs printf %.0f)
XDG_STATE_HOME=$work "$program" $llama --keys "$work/keys" --size 100x30 --save-screen - | sed 's|[^0-9A-Za-z]||g' | grep -q "doneJCT${slow}s"
result $? "a change of the time to turn is one of the rails"

mixtral=scenarios/mixtral-regional.json
says() { # STEP TURNS EXPOSED [OPTION...]
    local said
    said=$(first $mixtral "${@:4}")
    [ "$(LC_ALL=C printf '%.3f %d %d' ${said/% / } 2>/dev/null | cut -d' ' -f1,2)" = "$1 $2" ] && [ "$(echo $said | cut -d' ' -f4)" = "$3" ] &&
        grep -q "| $1 s | $2, $3 |" docs/turning-light.md
    result $? "regional: $1 s, $2 turns ${*:4}"
}
says 15.976 252 252
says 13.881 252 252 --set cluster.region.provisioned=true
says 12.850 252 252 --set cluster.region.provisioned=true --set 'cluster.region.demand="last"'
says 22.476 512 512 --set 'cluster.region.turn="all_to_all"'
free=$(first $mixtral --set cluster.region.delay=0)
plain=$("$program" predict zoo:mixtral-8x7b --device a100 --json --parallel "tensor=4 data=8 expert=8 micro_batch=4 batch=128 recompute=selective sequence=true" |
    grep -oE '"step_time":[0-9.]+' | cut -d: -f2)
awk -v a="${free%% *}" -v b="$plain" 'BEGIN { exit !(a > b * (1 - 1e-12) && a < b * (1 + 1e-12)) }'
result $? "without delay a region is no slower than the network"

refused() { # NAME EXPECTED SCENARIO [OPTION...]
    local said status
    said=$("$program" run "${@:3}" 2>&1)
    status=$?
    [ $status -eq 2 ] && [[ $said == *"$2"* ]]
    result $? "refused: $1"
    [[ $said == *"$2"* ]] || echo "  said ($status) $said"
}
refused "no delay" '"delay"' $llama --set 'cluster.rails={"ports":2}'
refused "a delay that is no time" '"delay" is ' $llama --set 'cluster.rails.delay="soon"'
refused "three ports" 'ports' $llama --set cluster.rails.ports=3
refused "a key that is none" 'expected "serial"' $llama --set cluster.rails.serail=true
refused "both in one cluster" 'stand in one cluster, expected one of them' $llama --set 'cluster.region={"delay":"1ms"}'
refused "another fabric" '"rails" stands beside the fabric "ramp", expected "ideal"' $llama --set 'cluster.fabric="ramp"'
refused "tensor groups beyond a node" "tensor is 8 and a node has 4 devices" $llama --set 'graphs[0].machine={"node":4}'
refused "stages on a region" 'pipeline is 2: expected 1' $mixtral --set 'graphs[0].parallel={"tensor":4,"pipeline":2,"data":8,"expert":8,"batch":64}'
refused "experts that are computed again" 'recompute is full' $mixtral --set 'graphs[0].parallel={"tensor":4,"data":8,"expert":8,"batch":64,"recompute":"full"}'
sed 's/"ports": 2/"ports": 4/' $llama >"$work/s.json"
"$program" check "$work/s.json" 2>&1 | grep -qE 's\.json:[0-9]+:[0-9]+: .*"ports"'
result $? "with file, line and column"

# Half a tensor group on other nodes: the job is blocked, with the numbers.
cat >"$work/apart.lua" <<'L'
local policy = { name = "apart", api = 1 }
function policy:partition(job, cluster) return 512 end
function policy:place(job, cluster) local s = {} for i = 1, 512 do s[i] = i + 3 end return { servers = s } end
return policy
L
"$program" run $llama --policy "$work/apart.lua" --json | grep -q 'tensor is 8 and a node has 4 devices'
result $? "a tensor group that leaves its node"
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Environments and networks on jobs with plans: an action is a plan of the job's graph, by servers,
# of equals the fastest first.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-build/release/lightpath}")
work=$(mktemp -d "${TMPDIR:-/tmp}/actions.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_STATE_HOME=$work/state
transformers=$here/scenarios/transformers.json rails=$here/scenarios/llama-405b-rails.json
failed=0
result() { # STATUS NAME
    if [ "$1" -eq 0 ]; then echo "ok plan actions: $2"; else echo "not ok plan actions: $2" && failed=1; fi
}
env_says() { # SCENARIO REQUEST...
    local scenario=$1
    shift
    printf '%s\n' "$@" | "$lightpath" env "$scenario"
}

env_says "$rails" '{"cmd":"spec"}' '{"cmd":"graphs"}' '{"cmd":"reset"}' '{"cmd":"step","action":3}' \
    '{"cmd":"step","action":1}' '{"cmd":"summary"}' >out
sed -n 1p out | grep -q '"actions":4,.*"features":43,'
result $? "three plans are three actions, and declining one"
[ "$(sed -n 2p out | grep -o '"action":[0-9],"plan":"[^"]*","servers":[0-9]*' | tr '\n' ' ')" = \
    '"action":1,"plan":"t8 p16 d4 full sp nowait","servers":512 "action":2,"plan":"t8 p16 d8 full sp nowait","servers":1024 "action":3,"plan":"t8 p16 d16 full sp nowait","servers":2048 ' ]
result $? "which the environment lists"
sed -n 3p out | grep -q '"mask":\[1,1,1,1\]}'
result $? "all are open on an empty cluster"
sed -n 4p out | grep -q '"servers":2048,"plan":"t8 p16 d16 full sp nowait"}.*"mask":\[1,0,0,0\]}'
result $? "an action runs the job by its plan; what has no place is closed then"
sed -n 5p out | grep -q '"outcome":"blocked","cause":"refused","reason":"the mask forbids the plan of this number","masked":true'
result $? "and is refused"
[ "$(env_says "$transformers" '{"cmd":"graphs"}' | grep -o '"action":[45],"plan":"[^"]*","servers":[0-9]*' | head -n 2 | tr '\n' ' ')" = \
    '"action":4,"plan":"t2 p1 d8 selective sp","servers":16 "action":5,"plan":"t1 p4 d4 selective","servers":16 ' ]
result $? "two plans with as many servers are two actions"

# What an episode comes to is what a policy comes to that answers the same plans.
cat >third.lua <<'LUA'
local policy = { name = "third", api = 1 }
function policy:partition(job, cluster)
  local plan = cluster:plans(job)[3]
  if plan.free then
    return plan
  end
end
return policy
LUA
requests=('{"cmd":"reset","seed":4,"observe":false}')
for _ in $(seq 60); do requests+=('{"cmd":"step","action":3,"observe":false}'); done
ours=$(env_says "$transformers" "${requests[@]}" '{"cmd":"summary"}' | tail -n 1 | grep -o '"completed":[0-9]*\|"mean_jct":[0-9.]*')
run=$("$lightpath" run "$transformers" --seed 4 --policy third.lua --json | grep -oE '"completed": ?[0-9]+|"mean_jct": ?[0-9.]+' | tr -d ' ' | head -n 2)
[ -n "$ours" ] && [ "$(sort <<<"$ours")" = "$(sort <<<"$run")" ]
result $? "an episode is the run of a policy that answers these plans"
[ "$(sort <<<"$ours")" = "$(sort <<<"$run")" ] || echo "  environment $ours, run $run"

# Networks, both that answer at once and that let jobs wait.
for network in pac_ml pac_ml_queue; do
    "$lightpath" run "$rails" --policy "$network.lua" --json >run.json 2>err && grep -q '"plan": *"t8 p16 d' run.json
    result $? "$network decides by plans"
    "$lightpath" whatif "$transformers" --policy "$network.lua" --at d3 --json >whatif.json 2>/dev/null &&
        grep -q '"degree": *8,"plan": *"t2 p1 d4 selective sp"' whatif.json &&
        grep -o '"networks":.*' whatif.json | grep -oE '"probability": *[0-9.e-]+' | tr -d '": a-df-z' |
        awk '{ sum += $1 } END { exit !(sum > 1 - 1e-9 && sum < 2 + 1e-9) }'
    result $? "$network says how probable each plan is"
done
printf 'n*9\n:write net.session\n' >keys
"$lightpath" "$transformers" --policy pac_ml.lua --keys keys --no-autosave >log 2>&1 </dev/null &&
    "$lightpath" replay net.session --verify --json | grep -q '"verified":true'
result $? "a run of one is replayed"
"$lightpath" train "$transformers" --steps 512 --encoding corrected --threads 1 -o net.json >train.out 2>&1 &&
    grep -q '"degrees": *6[,}]' net.json &&
    "$lightpath" run "$transformers" --policy pac_ml --param weights=net.json --json | grep -q '"plan": *"t'
result $? "one that learns here has an action for each plan"
exit "$failed"

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The hook `phase`: what it is told about turns of circuits inside a step, what its answers do, what
# is refused with which words, and that runs with it are saved, walked through and replayed.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-build/release/lightpath}")
work=$(mktemp -d "${TMPDIR:-/tmp}/phases.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_STATE_HOME=$work/state
failed=0
result() { # STATUS NAME
    if [ "$1" -eq 0 ]; then echo "ok phases: $2"; else echo "not ok phases: $2" && failed=1; fi
}
# Four stages, no interleaving: on demand 3 x 4 - 2 = 10 turns are exposed, provisioned 3.
cat >rails.json <<'JSON'
{ "lightpath": 1, "name": "rails",
  "cluster": { "fabric": "ideal", "ideal": { "servers": 64 }, "rails": { "delay": "1 ms", "ports": 2, "serial": true },
               "server": { "device": "A100", "memory": "80 GB" } },
  "graphs": [ { "id": "gpt", "model": { "hidden": 4096, "heads": 32, "layers": 16 },
    "parallel": [ { "tensor": 8, "pipeline": 4, "data": 2, "batch": 8, "wait": false } ] },
    { "id": "alexnet", "zoo": "alexnet" } ],
  "jobs": [ { "graph": "gpt", "steps": 3 } ] }
JSON
policy() { # LUA
    printf 'local policy = { name = "p", api = 1 }\n%s\nreturn policy\n' "$1" >p.lua
}
# turns, waiting and exposed ones of the one job, and its reason
told() { # [OPTION...]
    "$lightpath" run rails.json --json "$@" 2>err >out
    grep -oE '"(turns|waiting_turns|exposed_turns)":[^,]*|"cause":[^,]*|"why":("([^"\\]|\\.)*"|null)' out | tr '\n' ' '
}
is() { # NAME GOT EXPECTED
    [[ $2 == *"$3"* ]]
    result $? "$1"
    [[ $2 == *"$3"* ]] || echo "  got $2"
}
demand=$(told)
early=$(told --set cluster.rails.provisioned=true)
is "on demand 3p - 2 turns are exposed" "$demand" '"exposed_turns":10'
[ "$(grep -oE '"exposed_turns":[0-9]+' <<<"$early")" != '"exposed_turns":10' ]
result $? "provisioned fewer are"
policy 'function policy:phase() return "provisioned", "early" end'
is "all provisioned by a policy are as the scenario's" "$(told --policy p.lua)" "$(grep -oE '"turns".*' <<<"$early")"
is "its reason is told" "$(told --policy p.lua)" '"why":"early"'
policy 'function policy:phase() return "on-demand" end'
is "and on demand where the scenario provisions" "$(told --policy p.lua --set cluster.rails.provisioned=true)" '"exposed_turns":10'
policy 'function policy:phase() end'
is "nil is as the scenario says" "$(told --policy p.lua)" '"exposed_turns":10'
policy 'function policy:phase(job, phase, light)
  self.mem.n = (self.mem.n or 0) + 1
  assert(phase.number == self.mem.n and job.id == 0)
  assert(light.form == "rails" and light.delay == 0.001 and light.orders == "on-demand")
  assert(phase.stage >= 1 and phase.stage <= 4 and phase.item >= 1 and phase.ready <= phase.start)
  assert(type(phase.ring) == "boolean" and (not phase.exposed or phase.waits))
  assert(phase.ring == (phase.kind == "bucket" or phase.kind == "flush"))
  self.mem.exposed = (self.mem.exposed or 0) + (phase.exposed and 1 or 0)
  return nil, phase.number == light.turns and ("%d of %d"):format(self.mem.exposed, light.turns) or nil
end'
is "each turn is told once, in order, with its times" "$(told --policy p.lua)" '"why":"10 of '
policy 'function policy:phase(job, phase) return phase.exposed and "provisioned" or "on-demand" end
function policy:order_flows() error("not asked") end'
[[ $(told --policy p.lua) =~ \"exposed_turns\":[0-9]\  ]]
result $? "turns are chosen one by one, and order_flows is not asked"

# ---- what is refused ----

refuses() { # NAME LUA WORDS
    policy "$2"
    told --policy p.lua >/dev/null
    grep -qF -- "$3" out err
    result $? "$1"
}
refuses "another word" 'function policy:phase() return "soon" end' \
    'phase is \"soon\"; expected \"on-demand\", \"provisioned\" or nil'
refuses "a number" 'function policy:phase() return 1 end' 'phase is 1; expected'
refuses "an error names the turn" 'function policy:phase(job, phase) if phase.number == 3 then error("no") end end' \
    'phase(job 0, turn 3)'
refuses "an endless loop" 'function policy:phase() while true do end end' 'phase(job 0, turn 1)'
refuses "a reason that is none" 'function policy:phase() return nil, {} end' 'expected a reason'
policy 'function policy:phase() error("not asked") end'
sed 's/"graph": "gpt"/"graph": "alexnet"/' rails.json >alexnet.json
"$lightpath" run alexnet.json --policy p.lua --json | grep -q '"outcome":"completed"'
result $? "who has no plan is not asked about"
sed 's/"rails": {[^}]*},//' rails.json >plain.json
"$lightpath" run plain.json --policy p.lua --json | grep -q '"outcome":"completed"'
result $? "nor who has no rails"

# ---- the shipped policy and scenario ----

for param in only_waiting=false only_waiting=true; do
    "$lightpath" run "$here/scenarios/llama-405b-rails.json" --policy "$here/scripts/provision_early.lua" --param $param --json >out
    [ "$(grep -oE '"turns":46,"waiting_turns":15,"exposed_turns":15' out | wc -l)" -eq "$(grep -o '"outcome":"completed"' out | wc -l)" ] &&
        grep -q '"outcome":"completed"' out
    result $? "provision_early.lua leaves 15 of 46 turns exposed, $param"
done
printf '%s\n' ':write walk.session' 'n*1' ':back 1' 'n*1' ':fork policy=leanest_plan' 'n*2' ':branch main' 'n*3' ':write' >walk
"$lightpath" "$here/scenarios/llama-405b-rails.json" --policy "$here/scripts/provision_early.lua" --keys walk >log 2>&1 </dev/null
result $? "a walk through it"
"$lightpath" replay walk.session --verify >replay.log 2>&1 || { tail -n 3 replay.log log; false; }
result $? "whose session replays, policies asked again"
exit $failed

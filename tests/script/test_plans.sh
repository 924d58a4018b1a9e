#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Policies that answer plans: what they are told, what is refused and with which numbers, and that
# runs with plans are saved, walked through and replayed.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-build/release/lightpath}")
work=$(mktemp -d "${TMPDIR:-/tmp}/plans.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_STATE_HOME=$work/state
failed=0
result() { # STATUS NAME
    if [ "$1" -eq 0 ]; then echo "ok plans: $2"; else echo "not ok plans: $2" && failed=1; fi
}
transformers=$here/scenarios/transformers.json
cat >one.json <<'JSON'
{ "lightpath": 1, "name": "one",
  "cluster": { "fabric": "ideal", "ideal": { "servers": 24 }, "server": { "device": "A100", "memory": "40 GB" } },
  "graphs": [ { "id": "gpt", "model": { "hidden": 2048, "heads": 16, "layers": 8 },
    "parallel": [ { "tensor": 2, "batch": 16 }, { "tensor": 4, "pipeline": 4, "batch": 16 },
                  { "tensor": 1, "batch": 16, "micro_batch": 16 }, { "tensor": 4, "data": 8, "batch": 16 } ] },
    { "id": "alexnet", "zoo": "alexnet" } ],
  "jobs": [ { "graph": "gpt", "steps": 3 } ] }
JSON

# What a policy answers for the one job: cause, why, servers, step time.
answer() { # LUA [SCENARIO]
    printf 'local policy = { name = "p", api = 1 }\nfunction policy:partition(job, cluster)\n%s\nend\nreturn policy\n' "$1" >p.lua
    "$lightpath" run "${2:-one.json}" --policy p.lua --json 2>/dev/null >out.json
    grep -oE '"cause":[^,]*|"partition_degree":[^,]*|"step_time":[^,]*|"why":"([^"\\]|\\.)*"' out.json | head -n 4 | tr '\n' ' '
}
says() { # NAME LUA EXPECTED
    local said
    said=$(answer "$2")
    [[ $said == *"$3"* ]]
    result $? "$1"
    [[ $said == *"$3"* ]] || echo "  said $said"
}

says "a plan that is not listed is taken" \
    'return { tensor = 2, pipeline = 2, data = 2 }, "mine"' '"partition_degree":8 "why":"mine"'
says "one of the list is taken as it is" \
    'local plans = cluster:plans(job) return plans[2], #plans .. " plans"' '"partition_degree":16 "why":"2 plans"'
says "the list has those that fit, by servers, with figures" \
    'local p = cluster:plans(job)[1]
     return p, ("%d %d %d %.3f %.4g %.3f %s"):format(p.tensor, p.pipeline, p.servers, p.step_time, p.memory, p.bubble, p.free)' \
    "$("$lightpath" predict zoo:decoder --model "hidden=2048 heads=16 layers=8" --parallel "tensor=2 batch=16" --json |
        sed -E 's/.*"step_time":([0-9.]*).*/\1/' | xargs printf '"why":"2 1 2 %.3f')"
says "what does not divide is refused with the numbers" 'return { tensor = 3 }' \
    '"why":"the plan does not fit graph gpt: hidden is 2048: expected a multiple of tensor, 3"'
says "so is another batch" 'return { tensor = 2, batch = 32 }' '"why":"the plan has batch 32, graph gpt has 16"'
says "and a plan that is too large for a server" 'return { tensor = 1, micro_batch = 16 }' '"cause":"memory"'
says "more servers than there are" 'return { tensor = 8, data = 8 }' '"cause":"no_placement"'
says "sharded state, context ways and overlap are keys of a plan" \
    'return { tensor = 2, context = 2, data = 2, zero = 2, overlap = true, attention = "fused" }, "mine"' \
    '"partition_degree":8 "why":"mine"'
says "of a level that there is not it is refused" 'return { data = 2, zero = 4 }' \
    '"why":"the plan does not fit graph gpt: zero is 4: expected 0 (nothing is sharded), 1 (optimiser), 2 (and gradients) or 3'
says "and of an attention" 'return { data = 2, attention = "flash" }' \
    'attention is \"flash\"; expected \"unfused\", \"fused\" or \"causal\"'
says "words that are none" 'return { tensor = 2, recompute = "some" }' \
    'recompute is \"some\"; expected \"none\", \"selective\" or \"full\"'
says "keys that are none" 'return { tensor = 2, replicas = 2 }' 'a plan has no \"replicas\"'
says "a number that is none" 'return { tensor = 0 }' 'tensor is 0; expected a whole number from 1 to 16777216'
says "ways of single ops" 'return { [1] = 2 }' 'the answer splits single ops, but the job'"'"'s graph is split by plans'
says "a degree is the fastest plan of so many servers that fits" 'return 5' '"partition_degree":2 '
says "where none fits the job is blocked for it" 'return 1' '"cause":"memory"'
sed 's/"graph": "gpt"/"graph": "alexnet"/' one.json >alexnet.json
said=$(answer 'return { tensor = 2 }' alexnet.json)
[[ $said == *"the returned table is a plan, but graph 'alexnet' has none"* ]]
result $? "a plan for a graph without any"
said=$(answer 'return #cluster:plans(job) + 2, "none"' alexnet.json)
[[ $said == *'"why":"none"'* ]]
result $? "which lists none"
forecast=$(answer 'local f = cluster:predict(job, { plan = { tensor = 2, data = 4 } })
    return { tensor = 2, data = 4 }, ("%.17g"):format(f.step_time)')
[ "$(sed -E 's/.*"step_time":([^ ]*).*/\1/' <<<"$forecast" | xargs printf '%.17g')" = "$(sed -E 's/.*"why":"([^"]*)".*/\1/' <<<"$forecast")" ]
result $? "cluster:predict with a plan says what then comes"

# The shipped scenario: splitting as far as possible blocks the next jobs.
blocked() { # POLICY
    "$lightpath" run "$here/scenarios/transformers.json" --policy "$here/scripts/$1.lua" --json | grep -oE '"blocked":[0-9]+' | head -n 1 | grep -oE '[0-9]+'
}
[ "$(blocked leanest_plan)" -lt "$(blocked max_parallelism)" ]
result $? "leanest_plan loses fewer jobs than max_parallelism"

# What shows it: a row per stage with its bubble, the plan among the results.
cat >look <<'END'
n*2
:view step
:size 100x30
:expect stage 1
:expect bubble 6.5 %
:expect t2 p2 d1 selective sp
:expect of 2 stages work
END
sed 's/{ "tensor": 4, "batch": 64[^}]*},//' "$here/scenarios/transformers.json" |
    sed 's/"graphs": \[/"graphs": [ /; s/"count": 60/"count": 60, "graphs": ["llama-8b"]/' >llama.json
cat >two.lua <<'LUA'
local policy = { name = "two", api = 1 }
function policy:partition(job, cluster)
  return { tensor = 2, pipeline = 2, recompute = "selective", sequence = true }
end
return policy
LUA
"$lightpath" llama.json --policy two.lua --keys look --no-autosave >log 2>&1 </dev/null || { cat log; false; }
result $? "the view of a step has a row per stage"
"$lightpath" run llama.json --policy two.lua --csv | sed -n 2p | grep -q ',t2 p2 d1 selective sp,'
result $? "results have the plan"

# A row for each plan, those that cannot be placed with their figures, too; what is taken by hand.
rows=$("$lightpath" whatif "$here/scenarios/transformers.json" --at d2 --json |
    grep -o '"plan":"[^"]*","plan_step_time":[0-9]*\|"feasible":[a-z]*\|"cause":[^,]*,"jct":[^,.]*' | tr -d '\n')
[ "$(grep -o '"plan":"' <<<"$rows" | wc -l)" -eq 6 ]
result $? "whatif has a row for each plan"
[[ $rows == *'"plan":"t4 p1 d8 selective sp","plan_step_time":1"cause":"no_placement","jct":null'* ]]
result $? "and the figures of one that has no place"
"$lightpath" whatif "$here/scenarios/transformers.json" --at d2 |
    grep -Eq '^> t4 p1 d2 selective sp .* 43.0 of 80 GB +0.0 % +12.5 %  accepted, 20 free$'
result $? "with memory, bubble, exposed communication; the policy's own is marked"
cat >hand <<'END'
n*3
Up
Enter
:expect by hand
:write hand.session
END
"$lightpath" "$here/scenarios/transformers.json" --keys hand >log 2>&1 </dev/null || { cat log; false; }
result $? "a plan is taken by hand"
"$lightpath" replay hand.session --json | grep -q '"plan":"t2 p1 d2 selective sp"'
result $? "and is what the job then runs by"
story=$("$lightpath" explain "$here/scenarios/llama-405b-rails.json")
[[ $story == *"plan        t8 p16 d4 full sp nowait step 46.3 s, 72.6 of 80 GB, bubble 33.1 %, exposed 11.3 %, 46 of 46 turns exposed"*"other plans t8 p16 d8"* ]]
result $? "explain tells of the plan and of the others"
grep -qE '^considered +plan +servers +step s ' <<<"$story" && grep -qE '^ +> t8 p16 d4 +512 ' <<<"$story" && ! grep -q '"columns"' <<<"$story"
result $? "and has what was considered as a table"
"$lightpath" sweep "$here/scenarios/llama-405b-rails.json" --vary 'graphs[0].parallel[0].pipeline=8,16' \
    --vary 'graphs[0].parallel[0].chunks=1,2' --seeds 1 --json | grep -o '"mean_jct":[0-9][0-9]*' | sort -u | wc -l | grep -qx 3
result $? "sweep varies a plan's numbers"
"$lightpath" sweep "$transformers" --vary 'graphs[0].parallel[0].tensor=1,2' --seeds 1 |
    grep -qx 'graphs\[0\].parallel\[0\].tensor: all values gave the same runs; no job ran by this plan'
result $? "and says where no job ran by the plan"
! "$lightpath" sweep "$transformers" --vary 'graphs[0].parallel[5].tensor=1,2' --seeds 1 | grep -q "the same runs"
result $? "but not where one did"

# A fork says a plan in words; what cannot be is refused with the numbers, and nothing is begun.
fork() { # NAME WORDS EXPECTED [SCENARIO]
    local said
    said=$("$lightpath" "${4:-$transformers}" --at d0 --fork "$2" --save-screen /dev/null --no-autosave 2>&1 </dev/null)
    [[ $? -eq 2 && $said == *"$3"* ]]
    result $? "$1"
    [[ $said == *"$3"* ]] || echo "  said $said"
}
fork "heads that the tensor ways do not divide" 'tensor=64' 'fork: heads is 32: expected a multiple of tensor, 64'
fork "more servers than the cluster has" 'tensor=8 data=8' 'fork: t8 p1 d8: no block: 64 servers needed, the cluster has 32'
fork "too much for a server's memory" 'tensor=8 pipeline=4 data=4' \
    'the fullest server of the plan holds 1145 GB, the largest there is has 80 GB' "$here/scenarios/llama-405b-rails.json"
fork "a plan for a job that has none" 'tensor=2' 'is not split by plans: expected degree=8' "$here/scenarios/pac-ml-32.json"
cat >fork.keys <<'END'
n*2
:fork tensor=4 pipeline=2 recompute=selective wait=false
:expect d2 t4 p2 d1 selective nowait
:yank moment line.txt
:write fork.session
END
"$lightpath" "$transformers" --keys fork.keys --no-autosave >log 2>&1 </dev/null || { cat log; false; }
result $? "a fork with a plan"
"$lightpath" replay fork.session --verify --json | grep -q '"plan":"t4 p2 d1 selective nowait"'
result $? "is what the job then runs by"
grep -q -- "--at d2 --fork 'tensor=4 pipeline=2 recompute=selective wait=false' --at" line.txt
result $? "its line says the plan"
eval "$(tail -n 1 line.txt | sed "s|^lightpath|'$lightpath'|") --save-screen again.txt" </dev/null 2>err && ! grep -q "not as it was" again.txt err &&
    grep -q "d2 t4 p2 d1 selective" again.txt
result $? "and makes the moment again"

# Saved, walked through with rewinds and forks, and replayed.
cat >walk <<'END'
:write walk.session
n*9
:back 7
n*2
:fork degree=4
n*5
:branch main
:seek d1
:ghost
n*3
:branch main
n*200
:write
END
"$lightpath" "$here/scenarios/transformers.json" --keys walk >log 2>&1 </dev/null
result $? "a walk through it"
"$lightpath" replay walk.session --verify >replay.log 2>&1 || { tail -n 3 replay.log log; false; }
result $? "whose session replays, policies asked again"
run=$("$lightpath" run "$here/scenarios/transformers.json" --hash </dev/null | grep -oE '[0-9a-f]{16}' | tail -n 1)
"$lightpath" replay walk.session 2>&1 | grep -q "$run"
result $? "and ends in the state of the run"
# What the groups of plans send is on links that jobs share: 8 layers of 12.6 M parameters, words and places, 8 bytes each
# round a ring of two at 10 GB/s, .0621 s; two such jobs on one uplink take it twice.
cat >across.lua <<'LUA'
local policy = { name = "across", api = 1 }
function policy:partition(job, cluster) return { data = 2 } end
function policy:place(job, cluster) return { servers = { job.id, job.id + 2 } } end
return policy
LUA
across() { # JOBS FABRIC
    local job='{ "graph": "g", "arrival": 0, "steps": 10 }'
    cat >across.json <<END
{ "lightpath": 1, "name": "across", "cluster": { $2, "server": { "device": "A100" } },
  "graphs": [ { "id": "g", "model": { "hidden": 1024, "heads": 16, "layers": 8 },
    "parallel": [ { "data": 2, "batch": 8 } ], "machine": { "network_rate": "10GB/s", "node": 1,
    "base_latency": 0, "network_latency": 0, "link_latency": 0 } } ],
  "jobs": [ $job$([ "$1" -gt 1 ] && echo ", $job") ], "policy": { "script": "across.lua" } }
END
    "$lightpath" run across.json --json --set cluster.packet.sharing="${3-always_on}" | tr '{' '\n' |
        sed -n 's/^"id":[01],.*"jct":\([0-9.]*\),.*"computation_time":\([0-9.]*\),.*"circuits":\([0-9]*\),.*/\1 \2 \3/p'
}
leaves='"fabric": "packet", "packet": { "topology": "leaf_spine", "leaves": 2, "spines": 1, "servers_per_leaf": 2,
  "server_bandwidth": "10GB/s", "uplink_bandwidth": "10GB/s", "server_delay": 0, "uplink_delay": 0, "io_latency": 0 }'
sending() { awk -v n="$1" '{ sum += $1 - $2; ok += $3 == 2 } END { printf "%.6f", (ok == n ? sum / n : -1) }'; }
alone=$(across 1 "$leaves" | sending 1)
both=$(across 2 "$leaves" | sending 2)
[ "$alone" = 0.621191 ] && [ "$both" = 1.242382 ] || { echo "alone $alone, both $both"; false; }
result $? "gradients of two plans meet on an uplink"
printf ':seek 0.5\n8\n:expect STEP of job 1 g t1 p1 d2: 238 ms\n:expect links: always on\n' >meet
"$lightpath" across.json --keys meet --no-autosave >log 2>&1 </dev/null || { cat log; false; }
result $? "the view of a step lasts as long as the job's step does there"
[ "$(across 2 "$leaves" interleaved | sending 2)" = 1.242382 ]
result $? "and so do those of jobs in step that interleave"
sed -i 's/"arrival": 0, "steps": 10 } \]/"arrival": 0.1, "steps": 10 } ]/' across.json
late=$("$lightpath" run across.json --json --set cluster.packet.sharing=interleaved | tr '{' '\n' |
    sed -n 's/^"id":[01],.*"jct":\([0-9.]*\),.*"computation_time":\([0-9.]*\),.*"circuits":\([0-9]*\),.*/\1 \2 \3/p' | sending 2)
awk -v late="$late" -v alone="$alone" 'BEGIN { exit !(late >= alone && late < 1.2 * alone) }' || { echo "late $late"; false; }
result $? "while one that computes meanwhile is hardly met"
exit $failed

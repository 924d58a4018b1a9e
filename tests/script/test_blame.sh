#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Who is blamed: what the engine answers itself is never refused, a reason says what is lacking, a
# forecast is what happens with the policy's own hooks, and a policy that decides nothing is told of
# first and in the exit status.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-build/release/lightpath}")
work=$(mktemp -d "${TMPDIR:-/tmp}/blame.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_STATE_HOME=$work/state
failed=0
result() { # STATUS NAME
    if [ "$1" -eq 0 ]; then echo "ok blame: $2"; else echo "not ok blame: $2" && failed=1; fi
}
policy() { # NAME LUA
    printf 'local policy = { name = "%s", api = 1 }\n%s\nreturn policy\n' "$1" "$2" >"$1.lua"
}
run() { # ARGUMENT...
    "$lightpath" run "$@" >out 2>err
}

# ---- the engine's own answers ----

policy orders 'function policy:order_ops() return "srpt" end'
policy largest 'function policy:partition(job, cluster) local d = cluster:degrees(job) return d[#d] end'
for scenario in "$here"/scenarios/*.json; do
    name=$(basename "$scenario" .json)
    run "$scenario" --policy orders.lua --json --until "2000 s"
    [ -s out ] && ! grep -q '"cause":"refused"' out
    result $? "no answer of the engine is refused, $name"
done
run "$here/scenarios/llama-405b-rails.json" --policy orders.lua --json
[ "$(grep -o '"cause":"no_placement"' out | wc -l)" -eq 2 ] && grep -q '"why":"no block: 512 servers needed, 0 free"' out
result $? "what the least plan needs is said"
run "$here/scenarios/published-32.json" --policy orders.lua --hash && cp out orders.hash
run "$here/scenarios/published-32.json" --policy largest.lua --hash && cmp -s out orders.hash
result $? "the default is the largest degree, as a policy would answer it"

# ---- what is lacking ----

for case in 'published-32:no server is free: 0 of 32 are, it needs 1' 'llama-405b-rails:no server is free: 0 of 2048 are, it needs 512'; do
    run "$here/scenarios/${case%%:*}.json" --policy largest.lua --json
    grep -qF "\"why\":\"the policy declined the job: ${case#*:}\"" out
    result $? "a policy that declines without a word: ${case#*:}"
done
cat >queue.json <<'JSON'
{ "lightpath": 1, "name": "queue", "queue_capacity": 1,
  "cluster": { "fabric": "ideal", "ideal": { "servers": 4 }, "server": { "device": "A100", "memory": "40 GB" } },
  "jobs": [ { "servers": 4, "duration": 10 }, { "servers": 3, "duration": 10, "arrival": 1 }, { "servers": 4, "duration": 10, "arrival": 2 } ] }
JSON
policy waits 'function policy:place(job, cluster) if not cluster:fits(3) then return "wait", "later" end return true end'
run queue.json --policy waits.lua --json
grep -qF '"why":"the queue holds 1 job already (queue_capacity)"' out
result $? "a full queue names its key, although the policy gave a reason"
run queue.json --policy waits.lua
grep -q '^blocked by *queue_full 1 (queue_capacity 1)$' out
result $? "and so does the summary"
policy nobody 'function policy:place() return nil end'
run queue.json --policy nobody.lua --json
grep -qF '"why":"the policy declined the job"' out
result $? "who declines although servers are free did so"

# ---- forecasts ----

policy foresees 'function policy:partition(job, cluster)
  local degrees = cluster:degrees(job)
  if #degrees == 0 then return nil, "none" end
  local kept, drawn = self.mem, self:rand(1000)
  kept.n = 7
  local forecast = cluster:predict(job, { degree = degrees[#degrees] })
  assert(self.mem.n == 7 and self.mem.asked == nil)
  return degrees[#degrees], ("%.9g"):format(forecast.jct)
end
function policy:phase(job, phase, light)
  assert(job.degree == 512 or job.degree == 1024 or job.degree == 2048)
  self.mem.asked = self:rand(1000)
  return (phase.waits and phase.number % 3 ~= self.p.rest) and "provisioned" or "on-demand"
end
policy.params = { rest = { default = 0, doc = "which turns stay on demand" } }'
for rest in 0 1 2 3; do
    run "$here/scenarios/llama-405b-rails.json" --policy foresees.lua --param rest=$rest --json
    jct=$(grep -oE '"jct":[0-9.e+]+' out | head -n 1 | cut -d: -f2)
    why=$(grep -oE '"why":"[0-9.e+]+"' out | head -n 1 | cut -d'"' -f4)
    [ -n "$jct" ] && [ "$(printf '%.9g' "$jct")" = "$why" ]
    result $? "a forecast asks the hook phase: $why, of turns $rest"
done
policy fails 'function policy:partition(job, cluster)
  local degrees = cluster:degrees(job)
  local ok, message = pcall(cluster.predict, cluster, job, { degree = degrees[1] })
  assert(not ok and tostring(message):find("no idea"))
  self.p.silent = nil
end
function policy:phase() error("no idea") end'
sed -i 's/  self.p.silent = nil/  return nil, "as told"/' fails.lua
run "$here/scenarios/llama-405b-rails.json" --policy fails.lua --json
grep -qF '"why":"as told"' out
result $? "an error of the hook is one of the forecast, which can be caught"

# ---- a policy that decides nothing ----

nothing() { # NAME WORDS
    run "$here/scenarios/llama-405b-rails.json" --policy "$1.lua"
    [ $? -eq 1 ] && head -n 1 err | grep -qF -- "the policy decided nothing: $2" && grep -q '^hash' out
    result $? "$1 decides nothing: exit status 1, told first, with a summary"
    "$lightpath" policy check "$1.lua" >out 2>&1
    [ $? -eq 1 ] && ! grep -q ': ok$' out
    result $? "policy check does not pass $1"
}
policy broken 'function policy:partition(job, cluster) return cluster.nothing.x end'
policy odd 'function policy:partition() return 3 end'
nothing broken 'every call of it failed, 3 of 3'
nothing odd 'of 3 jobs 3 had an answer that was refused, first for job 0: graph llama-405b has no plan for 3 servers'
"$lightpath" policy check odd.lua | grep -qF 'all 24 answers were refused on the scenario "published", first for job 0: degree 3 is masked out now'
result $? "policy check says which scenario and why"
run "$here/scenarios/llama-405b-rails.json" --policy broken.lua --json --curves curves.csv
[ $? -eq 1 ] && [ -s curves.csv ] && grep -q '"summary"' out
result $? "tables are written all the same"
policy half 'function policy:partition(job, cluster) if job.id == 0 then return 512 end error("no") end'
run "$here/scenarios/llama-405b-rails.json" --policy half.lua
[ $? -eq 0 ] && grep -q 'the policy failed 2 times (2 jobs lost)' err
result $? "one that decides something ends with 0 and is told of as before"
exit $failed

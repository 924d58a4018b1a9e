#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Places in the tree of a cluster from outside: what policies see of it, that every shipped policy keeps to what
# jobs ask for, that servers which do not are refused, that generated jobs and jobs with graphs ask too, and why jobs
# wait that wait when a run ends.
# Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-tree-place.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        head -n 12 out err | cut -c1-300 | sed 's/^/  /'
        echo "not ok $2"
        failed=1
    fi
}

# says WORDS NAME: are these words in out or err?
says() {
    grep -qF -- "$1" out err
    result $? "$2"
}

CLUSTER='"cluster":{"fabric":"ideal","ideal":{"servers":12},"names":"n[00-11]","levels":[
 {"name":"leaf","nodes":[{"name":"l0","servers":"0..3"},{"name":"l1","servers":[4,"5..7"]},{"name":"l2","servers":"8..11"}]},
 {"name":"row","nodes":[{"name":"r0","of":["l0","l1"]},{"name":"r1","of":["l2"]}]}]}'

# ---- what policies see ----

cat >look.lua <<'EOT'
local policy = { name = "look", api = 1 }
local function show(value)
  if type(value) ~= "table" then return tostring(value) end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do parts[i] = tostring(key) .. "=" .. show(value[key]) end
  return "{" .. table.concat(parts, " ") .. "}"
end
function policy:place(job, cluster)
  if job.id == 1 then
    local levels, rows = cluster:levels(), cluster:nodes("row")
    local servers, by_node, nodes = cluster:tree_place(job)
    local fits, node = cluster:fits_place(job)
    return nil, table.concat({ show(levels[1]), show(rows[2]), cluster:free_in("leaf", 0), cluster:free_in("cluster", 0),
      show(servers), show(by_node), nodes, tostring(fits), node, tostring(cluster:free_at(job)),
      job.required, tostring(job.preferred), tostring(job.segment), cluster:why(job).code }, " ")
  end
  return { servers = { 1, 2, 5 } }
end
return policy
EOT
cat >look.json <<EOF2
{"lightpath":1,$CLUSTER,"jobs":[{"servers":3,"duration":100},{"servers":3,"duration":5,"arrival":1,"required":"leaf"}]}
EOF2
timeout 20 "$lightpath" explain look.json --policy look.lua --job 1 --json >out 2>err
says '{largest=4 most=4 name=leaf nodes=3} {down=0 free=4 name=r1 number=1 parent=0 servers=4} 2 9' \
    'a policy sees levels, nodes and what is free in them'
says '{1=4 2=6 3=7} {l1=3} 1 true l1 1.0 leaf nil nil policy' 'it is told the place that the rule finds'

# ---- every shipped policy keeps to it ----

cat >asks.json <<EOF2
{"lightpath":1,$CLUSTER,"queue_capacity":50,"jobs":[
 {"servers":3,"duration":100,"required":"leaf"},{"servers":3,"duration":90,"arrival":1,"required":"leaf"},
 {"servers":4,"duration":50,"arrival":2,"segment":2},{"servers":4,"duration":50,"arrival":3,"required":"leaf"},
 {"servers":6,"duration":50,"arrival":4,"required":"row"},{"servers":2,"duration":9,"arrival":5,"required":"row","preferred":"leaf"},
 {"servers":1,"duration":9,"arrival":6}]}
EOF2
cat >keeps.py <<'EOT'
import json, sys
run = json.load(open("out"))
asks = json.load(open("asks.json"))["jobs"]
leaf = lambda s: s // 4
row = lambda s: 0 if s < 8 else 1
done = 0
for job, ask in zip(run["jobs"], asks):
    servers = job["servers"] or []
    if job["outcome"] != "completed":
        continue
    done += 1
    of = {"leaf": leaf, "row": row}.get(ask.get("required"))
    if of and len({of(s) for s in servers}) != 1:
        sys.exit(f"job {job['id']} lies on {servers}")
    if "segment" in ask:
        for l in range(3):
            if sum(leaf(s) == l for s in servers) % ask["segment"]:
                sys.exit(f"job {job['id']} lies on {servers}")
sys.exit(0 if done >= 4 else f"only {done} jobs were done")
EOT
bad=
for policy in acceptable_jct best_fit defragment easy_backfill easy_classic edf first_fit fit_first greedy_throughput hinted \
    hold_if_near las_preempt least_fragmenting max_parallelism meets_deadline min_parallelism pack_groups \
    random_place random_servers regroup sjf spread_default srpt strict_fifo tight tree_fit whole_racks worst_fit zone_aware; do
    timeout 20 "$lightpath" run asks.json --policy "$root/scripts/$policy.lua" --json >out 2>err
    python3 keeps.py 2>>err || { bad="$bad $policy"; tail -n 1 err; }
done
[ -z "$bad" ]
result $? "every shipped policy keeps to what jobs ask for$bad"

# ---- the order and the pick of tree_fit ----

starts() { python3 -c 'import json,sys; print(*[j["start"] for j in json.load(open("out"))["jobs"]])'; }
cat >order.json <<EOF2
{"lightpath":1,$CLUSTER,"queue_capacity":50,"policy":{"script":"tree_fit.lua"},"jobs":[
 {"servers":3,"duration":100},{"servers":3,"duration":90},{"servers":3,"duration":80},
 {"servers":4,"duration":10,"arrival":1,"required":"leaf"},
 {"servers":1,"duration":500,"arrival":2},{"servers":1,"duration":20,"arrival":3}]}
EOF2
for case in 'fifo 0 0 0 80 80 80' 'any 0 0 0 80 2 3' 'backfill 0 0 0 80 80 3'; do
    order=${case%% *}
    timeout 20 "$lightpath" run order.json --param "order=$order" --json >out 2>err
    [ "$(starts)" = "${case#* }" ]
    result $? "tree_fit by order $order: $(starts)"
done
timeout 20 "$lightpath" run order.json --param order=lifo >out 2>err
says 'queue: order is' 'tree_fit refuses an order that there is not'

# ---- answers that break an ask ----

cat >breaks.lua <<'EOT'
local policy = { name = "breaks", api = 1 }
function policy:place(job) return { servers = job.hint.servers } end
return policy
EOT
cat >breaks.json <<EOF2
{"lightpath":1,$CLUSTER,"jobs":[
 {"servers":2,"duration":1,"required":"leaf","hint":{"servers":[3,4]}},
 {"servers":2,"duration":1,"segment":2,"hint":{"servers":[3,4]}},
 {"servers":2,"duration":1,"required":"row","hint":{"servers":[3,4]}}]}
EOF2
timeout 20 "$lightpath" run breaks.json --policy breaks.lua --json >out 2>err
[ "$(python3 -c 'import json; print(*[(j["outcome"], j["cause"]) for j in json.load(open("out"))["jobs"]])')" = \
    "('blocked', 'shape') ('blocked', 'shape') ('completed', None)" ]
result $? 'servers that break required or segment are refused with the cause shape'
timeout 20 "$lightpath" explain breaks.json --policy breaks.lua --job 0 >out 2>err
says 'the servers lie under 2 leaves, the job requires one' 'and told why'

# ---- generated jobs, and jobs with graphs ----

cat >graphs.json <<EOF2
{"lightpath":1,$CLUSTER,"graphs":[{"id":"a","zoo":"alexnet","batch":128}],"queue_capacity":50,
 "generator":{"count":20,"load":0.6,"steps":5,"required":"leaf","segment":2},"policy":{"script":"fit_first.lua","params":{"degree":4}}}
EOF2
timeout 60 "$lightpath" run graphs.json --json >out 2>err
python3 - <<'EOT' 2>>err
import json
jobs = json.load(open("out"))["jobs"]
done = [j for j in jobs if j["outcome"] == "completed"]
assert len(done) > 10, len(done)
assert all(j["degree"] in (2, 4) for j in done), [j["degree"] for j in done]
assert all(len({s // 4 for s in j["servers"]}) == 1 for j in done)
EOT
result $? 'generated jobs with graphs lie in one leaf, and degrees that the segment does not divide are not open'

# ---- why jobs wait when the run ends ----

cat >waits.json <<EOF2
{"lightpath":1,$CLUSTER,"queue_capacity":50,"horizon":60,"policy":{"script":"tree_fit.lua","params":{"order":"fifo"}},"jobs":[
 {"servers":3,"duration":100,"name":"alpha"},{"servers":3,"duration":90},{"servers":3,"duration":80},
 {"servers":3,"duration":10,"arrival":10,"required":"leaf","name":"beta"},{"servers":1,"duration":500,"arrival":20},
 {"servers":12,"duration":1,"arrival":30,"segment":3}]}
EOF2
timeout 20 "$lightpath" explain waits.json --job 3 --words slurm >out 2>err
says 'waiting for Resources: needs 3 in one leaf; leaves have 1, 1, 1 free; enough in 20 s, when job 2 ends, or now across 3 leaves' \
    'explain says why a job waits'
timeout 20 "$lightpath" explain waits.json --job 4 --words slurm >out 2>err
says 'Priority: could start now, but waits for beta, which came 10 s before and needs 3 in one leaf' 'and behind whom'
timeout 20 "$lightpath" run waits.json --json >out 2>err
python3 - <<'EOT' 2>>err
import json
jobs = json.load(open("out"))["jobs"]
why = [j.get("why_waiting") for j in jobs]
assert why[:3] == [None] * 3, why[:3]
assert why[3]["code"] == "shape" and why[3]["across"] == {"nodes": 3, "ratio": None} and why[3]["enough_at"] == 80 and why[3]["when_job"] == 2, why[3]
assert why[4]["code"] == "behind" and why[4]["enough_at"] == 60 and why[4]["word"] == "behind", why[4]
assert why[5]["code"] == "never" and why[5]["enough_at"] is None, why[5]
EOT
result $? 'run --json says so of every job that waits at the end'
# ---- what is requested, not what is true ----

cat >veil.lua <<'EOT'
local policy = { name = "veil", api = 1 }
function policy:place(job, cluster)
  local why = cluster:why(job)
  if why and cluster.busy > 0 then
    return "wait", ("%s at %g"):format(why.code, why.enough_at)
  end
  return { servers = cluster:blocks(job.rigid, { limit = 1 })[1].servers }
end
return policy
EOT
for said in 'resource at 100' 'resource at 10'; do
    reveal=$([ "$said" = 'resource at 10' ] && echo true || echo false)
    echo '{"lightpath":1,'$CLUSTER',"horizon":5,"reveal":'$reveal',"policy":{"script":"veil.lua"},
 "jobs":[{"servers":12,"duration":10,"requested":100},{"servers":12,"duration":10,"arrival":1}]}' >veil.json
    timeout 20 "$lightpath" run veil.json --json >out 2>err
    says "\"why\":\"$said\"" "cluster:why tells when jobs end by what was requested, unless it is revealed ($reveal)"
done

# ---- wider than any leaf ----

wide='{"lightpath":1,'$CLUSTER',"policy":{"script":"tree_fit.lua"},"jobs":[{"servers":2,"duration":1},
 {"servers":5,"duration":1,"required":"leaf"},{"servers":4,"duration":1,"required":"leaf"}]'
echo "$wide}" >wide.json
timeout 20 "$lightpath" check wide.json >out 2>err && : >err
grep -q 'wide.json:[0-9]*:[0-9]*: jobs\[1\].servers is 5: expected 1 to 4, as many as the largest leaf has, which the job requires' err
result $? 'a job that is wider than any leaf is refused, with its place'
for policy in tree_fit strict_fifo easy_backfill; do
    echo "$wide,\"too_large\":\"block\"}" >wide.json
    timeout 20 "$lightpath" run wide.json --policy "$root/scripts/$policy.lua" --json >out 2>err
    python3 - <<'EOT' 2>>err
import json
jobs = json.load(open("out"))["jobs"]
assert [(j["outcome"], j["cause"]) for j in jobs] == [("completed", None), ("blocked", "too_large"), ("completed", None)], jobs
assert jobs[1]["why"] == "needs 5 servers in one leaf, the largest has 4", jobs[1]["why"]
EOT
    result $? "or blocked when it arrives: $policy"
done

timeout 20 "$lightpath" explain waits.json --job 3 --words sge >out 2>err
says '--words sge: expected plain, slurm, kueue or volcano' 'words of nobody are refused'

exit "$failed"

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# cluster:free_at from outside: on every fabric the time that a policy finds by ending the
# running jobs one after the other in cluster:after; what is said to wrong arguments; a queue that is long.
# Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-free-at.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        head -n 12 out err | cut -c1-200 | sed 's/^/  /'
        echo "not ok $2"
        failed=1
    fi
}

cat >ahead.lua <<'EOF'
local policy = { name = "ahead", api = 1 }

local function one_by_one(n, cluster)
  local running, ended = {}, {}
  if cluster:fits(n) then
    return cluster.now
  end
  for i, job in ipairs(cluster.running) do
    running[i] = job
  end
  table.sort(running, function(a, b) return a.finish < b.finish end)
  for i, job in ipairs(running) do
    ended[i] = { "preempt", job = job }
    if cluster:after(ended):fits(n) then
      return job.finish < math.huge and job.finish or nil -- one whose circuits nobody orders never ends
    end
  end
end

function policy:compare(cluster)
  for _, n in ipairs({ 1, 2, 4, 6, 8, 16, cluster.servers, cluster.servers + 1 }) do
    local at, expected = cluster:free_at(n), one_by_one(n, cluster)
    assert(at == expected, ("%d servers: %s, expected %s"):format(n, at, expected))
    self.mem.later = (self.mem.later or 0) + (at and at > cluster.now and 1 or 0)
    self.mem.never = (self.mem.never or 0) + (at and 0 or 1)
  end
end

function policy:partition(job, cluster)
  self:compare(cluster)
  local degree = ({ 1, 2, 4, 4 })[self:rand(4)]
  return cluster:predict(job, { degree = degree }).feasible and degree or "wait"
end

function policy:place(job, cluster)
  self:compare(cluster)
  local block = cluster:best_block(job, { score = "worst_fit", limit = 12 })
  return block and { servers = block.servers } or "wait",
    ("later %d, never %d"):format(self.mem.later, self.mem.never)
end

return policy
EOF
# compare NAME SCENARIO [OPTION]...
compare() {
    local name=$1 scenario=$2
    shift 2
    "$lightpath" run "$scenario" --policy ahead.lua "$@" --json >out 2>err
    [ $? -eq 0 ] && [ ! -s err ] && grep -q '"completed"' out && ! grep -q 'policy_error' out &&
        grep -qE 'later [1-9][0-9]*, never [1-9]' out
    result $? "the time when jobs that end one by one leave room: $name"
}
for name in pac-ml-32 leaf-spine optics-vs-packets zones; do
    # so many that somebody waits; jobs on shared links take longest to simulate
    compare "$name" "$root/scenarios/$name.json" --set generator.count=$([ $name = optics-vs-packets ] && echo 60 || echo 45) --set generator.load=1.5
done
# with few jobs one runs for whose circuits nobody asks
compare "optics-vs-packets, a job without an end" "$root/scenarios/optics-vs-packets.json" --set generator.count=30 --set generator.load=1.5
compare ideal-loss "$root/scenarios/ideal-loss.json" --set generator.count=60 --set semantics=corrected
compare rigid "$root/scenarios/rigid.json"

# answers CALL CHECK SCENARIO NAME: a policy that checks the value of the call
answers() {
    cat >check.lua <<EOF
local policy = { name = "check", api = 1 }
function policy:partition(job, cluster)
  local at = $1
  assert($2, at)
  return nil, "as it should be"
end
return policy
EOF
    "$lightpath" run "$root/scenarios/$3.json" --policy check.lua --set generator.count=3 --json >out 2>err
    [ $? -eq 0 ] && [ ! -s err ] && grep -q '"declined":3' out
    result $? "$4"
}
answers 'cluster:free_at(4)' 'at == cluster.now' pac-ml-32 "now where there is room"
answers 'cluster:free_at(33)' 'at == nil' pac-ml-32 "never where the cluster is too small"
answers 'cluster:free_at(4)' 'at == nil' published-32 "unknown under the published horizon"

# wrong CALL MESSAGE: what an answer with this call is told
wrong() {
    cat >wrong.lua <<EOF
local policy = { name = "wrong", api = 1 }
function policy:partition(job, cluster)
  return nil, $1 and "found" or "none"
end
return policy
EOF
    "$lightpath" run "$root/scenarios/pac-ml-32.json" --policy wrong.lua --set generator.count=1 >out 2>err
    grep -qF -- "$2" err
    result $? "told: $2"
}
wrong 'cluster:free_at(0)' 'cluster:free_at: a job, or a number of servers'
wrong 'cluster:free_at("four")' 'cluster:free_at: a job, or a number of servers'

# a hundred jobs that wait, two hundred and fifty that run: no job is lost to a budget
awk 'BEGIN {
    printf "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ramp\",\"ramp\":{\"communication_groups\":8,\"racks_per_group\":8,"
    printf "\"servers_per_rack\":8,\"node_bandwidth\":\"1.6 TB/s\"},\"server\":{\"device\":\"A100\"}},\"queue_capacity\":500,"
    printf "\"policy\":{\"script\":\"easy_backfill.lua\"},\"jobs\":["
    for (i = 0; i < 420; i++) {
        n = i % 9 == 8 ? 16 : i % 3 == 2 ? 2 : 1
        printf "%s{\"servers\":%d,\"duration\":%d,\"arrival\":%d}", i ? "," : "", n, 3600 + i * 997 % 5000, i * 5
    }
    print "]}"
}' >queue.json
"$lightpath" run queue.json --policy "$root/scripts/easy_backfill.lua" >out 2>err
[ $? -eq 0 ] && [ ! -s err ] && grep -q '420 arrived: 420 completed' out && grep -q '^wait  *mean [1-9]' out
result $? 'easy_backfill with a long queue loses nothing'
exit $failed

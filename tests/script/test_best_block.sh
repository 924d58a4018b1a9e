#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# cluster:best_block from outside: for each score the block that a policy finds by weighing those of cluster:blocks
# one by one, on every fabric; and what is said to wrong arguments. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-best-block.XXXXXX") || exit 1
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

cat >weigh.lua <<'EOF'
local policy = { name = "weigh", api = 1 }

-- Servers that stay free in the racks of the block, asked one by one.
local function left(block, cluster)
  local size, racks, free = cluster.servers_per_rack, {}, -#block.servers
  for _, id in ipairs(block.servers) do
    if not racks[id // size] then
      racks[id // size] = true
      for server = id // size * size, math.min(id // size * size + size, cluster.servers) - 1 do
        free = free + (cluster:is_free(server) and 1 or 0)
      end
    end
  end
  return free
end

local function touched(block, size)
  local seen, count = {}, 0
  for _, id in ipairs(block.servers) do
    if not seen[id // size] then
      seen[id // size], count = true, count + 1
    end
  end
  return count
end

-- Runs of free servers that stay in the racks of the block, server by server.
local function fragments(block, cluster)
  local size, taken, racks, runs = cluster.servers_per_rack, {}, {}, 0
  for _, id in ipairs(block.servers) do
    taken[id], racks[id // size] = true, true
  end
  for rack in pairs(racks) do
    local before = false
    for server = rack * size, math.min(rack * size + size, cluster.servers) - 1 do
      local free = cluster:is_free(server) and not taken[server]
      runs = runs + ((free and not before) and 1 or 0)
      before = free
    end
  end
  return runs
end

-- Servers that stay free in the groups of the block.
local function left_in_groups(block, cluster)
  local size, groups, free = cluster.servers_per_rack * cluster.racks, {}, -#block.servers
  for _, id in ipairs(block.servers) do
    groups[id // size] = true
  end
  for id = 0, cluster.servers - 1 do
    free = free + ((groups[id // size] and cluster:is_free(id)) and 1 or 0)
  end
  return free
end

-- cluster:free_server and cluster:zones(false) tell what cluster:zones() lists.
local function check_zones(cluster)
  local all, light = {}, cluster:zones(false)
  for number, zone in ipairs(cluster:zones()) do
    assert(zone.size == #zone.servers and zone.free_count == #zone.free, "sizes of a zone")
    assert(light[number].size == zone.size and light[number].free_count == zone.free_count)
    assert(light[number].name == zone.name and not light[number].free, "a zone without lists")
    for k = 1, #zone.free + 1 do
      assert(cluster:free_server(k, number) == zone.free[k], "a free server of a zone")
    end
    table.move(zone.free, 1, #zone.free, #all + 1, all)
  end
  table.sort(all)
  for k = 1, #all + 1 do
    assert(cluster:free_server(k) == all[k], "a free server")
  end
end

-- The lower, the better.
local BADNESS = {
  first_fit = function() return 0 end,
  best_fit = left,
  worst_fit = function(block, cluster) return -left(block, cluster) end,
  fewest_groups = function(block, cluster)
    local rack = cluster.servers_per_rack
    return touched(block, cluster.racks * rack) * 100000 + touched(block, rack)
  end,
  least_fragmenting = function(block) return -block.largest_left end,
}

local function same(a, b)
  if not a or not b then
    return a == b
  end
  return table.concat(a.servers, " ") == table.concat(b.servers, " ") and a.shape == b.shape
end

function policy:partition()
  return ({ 1, 2, 4, 4 })[self:rand(4)]
end

function policy:place(job, cluster)
  local n = job.rigid or cluster:predict(job).partition_degree
  for _, score in ipairs({ "first_fit", "best_fit", "worst_fit", "fewest_groups", "least_fragmenting" }) do
    local best, least
    for _, block in ipairs(cluster:blocks(n, { limit = 12 })) do
      assert(block.left_in_racks == left(block, cluster), "left_in_racks")
      assert(block.left_in_groups == left_in_groups(block, cluster), "left_in_groups")
      assert(block.fragments == fragments(block, cluster), "fragments")
      assert(block.racks == touched(block, cluster.servers_per_rack), "racks")
      assert(block.groups == touched(block, cluster.servers_per_rack * cluster.racks), "groups")
      local bad = BADNESS[score](block, cluster)
      if not best or bad < least then
        best, least = block, bad
      end
    end
    local found = cluster:best_block(n, { score = score, limit = 12 })
    assert(same(found, best), score)
    assert(same(cluster:best_block(job, { score = score, limit = 12 }), best), score .. " of the job")
    assert(score ~= "least_fragmenting" or not found or found.largest_left == -least, "largest_left")
    self.mem.compared = (self.mem.compared or 0) + 1
  end
  -- of equals the better by a second score
  for _, tie in ipairs({ "worst_fit", "fewest_groups", "least_fragmenting" }) do
    local best, least, second
    for _, block in ipairs(cluster:blocks(n, { limit = 12 })) do
      local bad, other = BADNESS.best_fit(block, cluster), BADNESS[tie](block, cluster)
      if not best or bad < least or (bad == least and other < second) then
        best, least, second = block, bad, other
      end
    end
    assert(same(cluster:best_block(n, { score = "best_fit", tie = tie, limit = 12 }), best), "tie " .. tie)
  end
  -- the same blocks one by one, counted, and from the middle
  local list, seen = cluster:blocks(n, { limit = 12 }), 0
  for block in cluster:each_block(n) do
    cluster:fits(n) -- other searches do not disturb the loop
    seen = seen + 1
    assert(same(block, list[seen]), "each_block")
    if seen == #list then break end
  end
  assert(seen == #list and cluster:count_blocks(n, { limit = 12 }) == seen, "count_blocks")
  assert(cluster:count_blocks(n, { limit = 12, skip = 2 }) <= math.max(cluster:count_blocks(n, { limit = 14 }) - 2, 0))
  assert(same(cluster:blocks(n, { limit = 1, skip = 1 })[1], list[2]), "skip")
  check_zones(cluster)
  local block = cluster:best_block(job, { score = "worst_fit", limit = 12 })
  return block and { servers = block.servers }, ("compared %d"):format(self.mem.compared)
end

return policy
EOF
for name in pac-ml-32 published-32 leaf-spine optics-vs-packets zones ideal-loss rigid; do
    few=(--set generator.count=60)
    [ "$name" != rigid ] || few=()
    "$lightpath" run "$root/scenarios/$name.json" --policy weigh.lua "${few[@]}" --json >out 2>err
    [ $? -eq 0 ] && [ ! -s err ] && grep -q '"completed"' out && ! grep -q 'policy_error' out
    result $? "each score finds the block that weighing finds: $name"
done

# wrong CALL MESSAGE: what an answer with this call is told
wrong() {
    cat >wrong.lua <<EOF
local policy = { name = "wrong", api = 1 }
function policy:partition(job, cluster)
  local block = $1
  return nil, block and "found" or "none"
end
return policy
EOF
    "$lightpath" run "$root/scenarios/pac-ml-32.json" --policy wrong.lua --set generator.count=1 >out 2>err
    grep -qF -- "$2" err
    result $? "told: $2"
}
wrong 'cluster:best_block(job)' 'cluster:best_block: state a degree, as in { degree = 4 }'
wrong 'cluster:best_block(0)' 'cluster:best_block: a job, or a number of servers'
wrong 'cluster:best_block(2, { score = "tightest" })' 'expected "first_fit", "best_fit"'
wrong 'cluster:best_block(2, { tie = "tightest" })' 'cluster:best_block: the tie is "tightest"'
wrong 'cluster:free_server(0)' 'cluster:free_server: k is 0'
wrong 'cluster:free_server(1, 99)' 'cluster:free_server: zone is 99; expected a whole number from 1 to 4'
wrong 'cluster:blocks(2, { skip = -1 })' 'cluster:blocks: skip'
wrong 'cluster:best_block(2, { skore = "best_fit" })' "unknown option"
wrong 'cluster:best_block(2, { limit = 0 })' 'cluster:best_block: limit'
wrong 'cluster:best_block(4, { shape = "3x1x1" })' 'is no shape of 4 servers'
wrong 'cluster:best_block(job, { degree = 0 })' 'cluster:best_block: degree'

# nothing that is free is nil, not an error; of a job the degree counts
cat >none.lua <<'EOF'
local policy = { name = "none", api = 1 }
function policy:partition(job, cluster)
  assert(cluster:best_block(cluster.servers + 1) == nil)
  assert(#cluster:best_block(job, { degree = 4 }).servers == 4)
  assert(cluster:best_block(4, { shape = "2x2x1" }).shape == "2x2x1")
  return nil, "as it should be"
end
return policy
EOF
"$lightpath" run "$root/scenarios/pac-ml-32.json" --policy none.lua --set generator.count=3 --json >out 2>err
[ $? -eq 0 ] && [ ! -s err ] && grep -q '"declined":3' out
result $? 'nil where nothing is free, and the size by degree or shape'

# a budget that is used up names the hook, the size and what to use instead; on few servers only the loop
spent() { # HOOK GROUPS WORDS
    printf 'local policy = { name = "p", api = 1 }\nfunction policy:%s() while true do end end\nreturn policy\n' "$1" >spent.lua
    "$lightpath" run "$root/scenarios/pac-ml-32.json" --policy spent.lua --set generator.count=1 --set "cluster.ramp.communication_groups=$2" >out 2>err
    grep -qF "$3" err
    result $? "$3"
}
spent partition 4 'partition(job 0): used up its budget of 5000000 instructions (an endless loop?)'
spent partition 128 '(an endless loop?); cluster:degrees(job) looks at all 1024 servers in one call'
spent place 128 'place(job 0): used up its budget of 5000000 instructions (an endless loop?); cluster:best_block(job, { score = ... }) looks at all 1024 servers in one call'
exit $failed

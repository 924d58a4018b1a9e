#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# cluster:slices and cluster:cube from outside: every place of small slices, what a place and a cube say, places as
# answers on switched and static wiring, other shapes, and what is said to wrong arguments. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-slices.XXXXXX") || exit 1
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

cat >pod.json <<'EOF'
{ "lightpath": 1, "queue": "loss", "cluster": { "fabric": "pod", "pod": { "cubes": 8, "settle": "1 s" } }, "jobs": [] }
EOF
jobs() { # jobs SLICE...: jobs of 100 s, one a second
    local at=0 list=
    for slice in "$@"; do
        list="$list${list:+,}{\"slice\":\"$slice\",\"duration\":\"100 s\",\"arrival\":$at}"
        at=$((at + 1))
    done
    printf 'jobs=[%s]' "$list"
}
# place BODY NAME EXPECTED RUN...: a policy whose place is BODY; why each job starts (or not), joined by |
place() {
    local body=$1 name=$2 expected=$3
    shift 3
    printf 'local policy = { name = "p", api = 1 }\nlocal function list(t) return t and table.concat(t, " ") end\nfunction policy:place(job, cluster)\n%s\nend\nreturn policy\n' "$body" >p.lua
    "$lightpath" run pod.json --policy p.lua --json "$@" >out 2>err
    local got
    got=$(grep -oE '"why":("[^"]*"|null)' out | cut -d : -f 2- | tr -d '"' | paste -sd '|')
    [ "$got" = "$expected" ] || echo "got $got" >>err
    [ "$got" = "$expected" ]
    result $? "$name"
}
static=(--set cluster.pod.wiring=static)

# --- every place, in order ------------------------------------------------------------------------------------
count='local s = cluster:slices(job); return s[1], ("%d first %s"):format(#s, list(s[1].orientation))'
place "$count" "places of a part in an empty cube, and how the first one lies" \
    "64 first 1 1 1" --set cluster.pod.cubes=1 --set "$(jobs 1x1x1)"
for row in "1x1x2 96 2 1 1" "1x2x2 48 2 2 1" "2x2x2 8 2 2 2" "2x2x4 12 4 2 2" "2x4x4 6 4 4 2"; do
    place "$count" "places of $row" "$(cut -d ' ' -f 2 <<<"$row") first $(cut -d ' ' -f 3- <<<"$row")" \
        --set cluster.pod.cubes=1 --set "$(jobs "${row%% *}")"
done
place 'local s = cluster:slices(job); local t = {}
  for i, x in ipairs(s) do t[i] = list(x.origin) .. "/" .. list(x.orientation) .. "=" .. list(x.cubes) end
  assert(s[2].servers[1] == cluster:slices(job)[2].servers[1] and s[#s + 1] == nil and s[0] == nil)
  return s[1], #t .. ": " .. t[1] .. ", " .. t[2] .. ", " .. t[5]' "static boxes, read forward and back" \
    "12: 0 0 0/2 1 1=0 4, 0 0 1/2 1 1=1 5, 0 0 0/1 2 1=0 2" "${static[@]}" --set "$(jobs 4x4x8)"
place 'local s = cluster:slices(job); return s[2] or s[1], #s .. ": " .. list(s[1].cubes) .. (s[2] and ", " .. list(s[2].cubes) or "")' \
    "switched: lowest, then spread where it differs; spares stay" "2: 0 1, 0 2|2: 1 3 4, 1 4 6" --set cluster.pod.cubes_per_domain=2 \
    --set cluster.pod.spares=1 --set "$(jobs 4x4x8 4x4x12)"

# --- what a place says ----------------------------------------------------------------------------------------
place 'local s = cluster:slices(job)[1]
  return s, ("%s %s %d servers, %d circuits, %d domains, %d in one, %d left, largest %d"):format(s.shape, s.twisted, #s.servers,
    s.cross_connects, s.domains, s.most_in_domain, s.left, s.largest_left)' "switched" \
    "4x4x8 twisted true 128 servers, 96 circuits, 1 domains, 2 in one, 6 left, largest 6|4x4x12 false 192 servers, 144 circuits, 2 domains, 2 in one, 3 left, largest 3" \
    --set cluster.pod.cubes_per_domain=2 --set "$(jobs "4x4x8 twisted" 4x4x12)"
place 'local s = cluster:slices(job)[1]
  return s, ("%s %d left, largest %d%s"):format(list(s.cubes), s.left, s.largest_left, s.left_in_cube and ", in cube " .. s.left_in_cube or "")' \
    "static and a part: the largest box that is left" "0 4 6 left, largest 4|1 5 left, largest 4, in cube 32" "${static[@]}" --set "$(jobs 4x4x8 2x4x4)"
place 'local a, b = cluster:slices(job)[1].all_to_all, cluster:slices(job)[1].all_reduce
  return true, ("%.6f %.6f"):format(a * 1e3, b * 1e3)' "times of 1 MB each and of 1 GB, ms, as predict says them" \
    "2.568000 7.698250|1.566284 7.698250" --set cluster.pod.io_latency=0 --set "$(jobs 4x4x8 "4x4x8 twisted")"

# --- other shapes ---------------------------------------------------------------------------------------------
place 'local t, best = {}
  for i, s in ipairs(cluster:slices(job, { shapes = true })) do
    if not t[s.shape] then t[#t + 1], t[s.shape] = s.shape, true end
    if not best or s.all_to_all < best.all_to_all then best = s end
  end
  return best, job.slice .. ": " .. list(t)' "shapes of as many accelerators; the best one is taken" \
    "4x4x16: 4x4x16 4x8x8 4x8x8 twisted" --set "$(jobs 4x4x16)"
grep -q '"slice":"4x8x8 twisted"' out && grep -q '{"slice":"4x4x16","cubes":4,"arrived":1,' out
result $? "the job has the shape that it was given and counts as what it asked for"
place 'for _, s in ipairs(cluster:slices(job, { shapes = true })) do return s, s.shape end' "a shape that fits where the one asked for never does" \
    "4x8x8" "${static[@]}" --set "$(jobs 4x4x16)"

# --- answers by hand -------------------------------------------------------------------------------------------
place 'return { cubes = { 7, 3 } }, "by ordinal"' "cubes by ordinal" "by ordinal" --set "$(jobs 4x4x8)"
grep -q '"cubes":\[7,3\]' out
result $? "... and these are held"
place 'return { cubes = { 7, 3 }, twisted = true }, "twisted"' "twisted instead of plain" "twisted" --set "$(jobs 4x4x8)"
grep -q '"slice":"4x4x8 twisted"' out
result $? "... and that is run"
place 'return { cubes = { 0, 1, 2, 3 }, slice = "4x8x8" }, "square"' "another slice by name" "square" --set "$(jobs 4x4x16)"
place 'return { origin = { 1, 0, 0 }, orientation = { 1, 2, 1 } }, "box"' "a box of the grid" "box" "${static[@]}" --set "$(jobs 4x4x8)"
grep -q '"cubes":\[4,6\]' out
result $? "... and its cubes are held"
place 'return { cube = 5, origin = { 0, 2, 0 }, orientation = { 4, 2, 4 } }, "part"' "a part" "part" --set "$(jobs 2x4x4)"
grep -q '"cubes":\[5\]' out
result $? "... and its cube is held"

# --- cubes ------------------------------------------------------------------------------------------------------
place 'local c = cluster:cube(0)
  return true, ("%s %s %s %d %d %d/%d domain %d faults %d"):format(c.state, c.usable, c.job and c.job.id, c.free, c.up, c.hosts_up, c.hosts, c.domain, c.faults)' \
    "a cube: free, settling, broken, mended, held" \
    "free true nil 64 64 16/16 domain 0 faults 0|settling false 0 0 64 16/16 domain 0 faults 0|running false 0 0 64 16/16 domain 0 faults 0|broken false nil 60 60 15/16 domain 0 faults 1|free true nil 64 64 16/16 domain 0 faults 1" \
    --set 'jobs=[{"slice":"4x4x4","duration":"7 s"},{"slice":"4x4x4","duration":"9 s","arrival":0.5},{"slice":"4x4x4","duration":"9 s","arrival":3},{"slice":"4x4x4","duration":"9 s","arrival":10},{"slice":"4x4x4","duration":"9 s","arrival":30}]' \
    --set 'failures.trace="9,host,3,5"'
place 'local c = cluster:cube(0); return true, c.state .. " " .. c.free' "a cube with a part; a dark one" "free 64|part 60|dark 64" \
    --set 'jobs=[{"slice":"1x2x2","duration":"7 s"},{"slice":"4x4x4","duration":"9 s","arrival":1},{"slice":"4x4x4","duration":"9 s","arrival":20}]' \
    --set 'failures.trace="19,switch,3,5"'
place 'local t = {}; for c = 4, 7 do t[#t + 1] = cluster:cube(c).state end; return true, table.concat(t, " ")' "spares: the highest usable numbers" \
    "free free kept kept|free kept kept broken" --set cluster.pod.spares=2 --set 'failures.trace="3,host,112,50"' \
    --set 'jobs=[{"slice":"4x4x4","duration":"1 s"},{"slice":"1x1x1","duration":"9 s","arrival":5}]'

# --- what is wrong ------------------------------------------------------------------------------------------------
wrong() { # wrong BODY WORDS RUN...
    local body=$1 words=$2
    shift 2
    printf 'local policy = { name = "p", api = 1 }\nfunction policy:place(job, cluster)\n%s\nend\nreturn policy\n' "$body" >p.lua
    "$lightpath" run pod.json --policy p.lua "$@" --json >out 2>err
    grep -qF -- "$words" err out
    result $? "told: $words"
}
two=(--set "$(jobs 4x4x8)") part=(--set "$(jobs 2x4x4)")
wrong 'cluster:slices(job, { shape = true })' 'unknown option "shape" (did you mean' "${two[@]}"
wrong 'cluster:slices(job, { shapes = 1 })' 'shapes is 1; expected true or false' "${two[@]}"
wrong 'cluster:slices(7)' 'cluster:slices(job): expected a job, got 7' "${two[@]}"
wrong 'cluster:slices(job).first()' "has no field 'first'" "${two[@]}"
wrong 'cluster:slices(job)[1].cubes = 3' 'is read-only' "${two[@]}"
wrong 'kept = cluster:slices(job)' 'kept' "${two[@]}"
wrong 'cluster:cube(8)' 'cluster:cube: number' "${two[@]}"
wrong 'cluster:cube()' 'cluster:cube: number' "${two[@]}"
wrong 'return { cubes = { 1 } }' 'cubes has 1 entries; expected 2' "${two[@]}"
wrong 'return { cubes = { 1, 8 } }' 'cubes: entry 2 is 8; expected a whole number from 0 to 7' "${two[@]}"
wrong 'return { cubes = { 1, 1 } }' 'cube 1 is named twice' "${two[@]}"
wrong 'return { cubes = "all" }' 'cubes is "all"; expected a list of 2 numbers' "${two[@]}"
wrong 'return { cubes = { 0, 1 }, slice = "4x4x4" }' '64 accelerators; the job asks for 128' "${two[@]}"
wrong 'return { cubes = { 0, 1 }, slice = "4x5x8" }' 'slice is "4x5x8": ' "${two[@]}"
wrong 'return { cubes = { 0, 1, 2 }, twisted = true }' 'a slice of 4x4x12 cannot be that here' --set "$(jobs 4x4x12)"
wrong 'return { cubes = { 0, 1 } }' 'cubes answered for static wiring' "${static[@]}" "${two[@]}"
wrong 'return { cubes = { 0 } }' 'cubes answered for a part of a cube' "${part[@]}"
wrong 'return { origin = { 0, 0, 0 }, orientation = { 2, 1, 1 } }' 'whole cubes on switched wiring' "${two[@]}"
wrong 'return { origin = { 0, 0, 0 } }' 'an origin answered without an orientation' "${static[@]}" "${two[@]}"
wrong 'return { origin = { 1, 0, 0 }, orientation = { 2, 1, 1 } }' 'a box of 2x1x1 at 1, 0, 0 is no place of the slice' "${static[@]}" "${two[@]}"
wrong 'return { origin = { 0, 0, 0 }, orientation = { 4, 4, 2 } }' 'cube is nil' "${part[@]}"
wrong 'return { cube = 0, origin = { 1, 0, 0 }, orientation = { 2, 4, 4 } }' 'is no place of the slice' "${part[@]}"
wrong 'return { cube = 0, origin = { 0, 0, 0 }, orientation = { 2, 4, 4 } }' 'part of it is held or broken' --set "$(jobs 2x4x4 2x4x4)"
wrong 'return { servers = { 1, 2, 3 } }' '3 servers answered, expected all 128 of a slice' "${two[@]}"
wrong 'return setmetatable({}, { __index = function() return { 0, 1 } end })' 'returned both servers and parts' "${two[@]}"
wrong 'for _ = 1, 1e9 do local n = #cluster:slices(job) end' 'used up its budget' "${part[@]}"
printf 'local policy = { name = "p", api = 1 }\nfunction policy:partition(job, cluster) return cluster:slices(job) end\nreturn policy\n' >p.lua
"$lightpath" run "$root/scenarios/pac-ml-32.json" --policy p.lua --set generator.count=1 >out 2>err
grep -qF 'job 0 asks for no slice; expected the fabric "pod"' err
result $? "a job without a slice"

# --- the policies, and a run of one that is read back ------------------------------------------------------------
"$lightpath" run "$root/scenarios/pod-64.json" --set generator.count=300 --json >want 2>err
"$lightpath" run "$root/scenarios/pod-64.json" --set generator.count=300 --policy pod_first_fit --json >out 2>>err
diff <(sed 's/"policy":[^]}]*[]}]//; s/"why":[^,]*,//g' want | tr ',' '\n' | grep -E '"(start|end|hash)"') \
    <(sed 's/"policy":[^]}]*[]}]//; s/"why":[^,]*,//g' out | tr ',' '\n' | grep -E '"(start|end|hash)"') >>err
result $? "pod_first_fit places as the engine does"
printf ':write run.session\n:seek d120\n:back 9\n:seek d150\n:write\n' >walk
for policy in pod_spread pod_best_shape pod_keep_spares; do
    for wiring in switched static; do
        few=(--set generator.count=160 --set cluster.pod.wiring=$wiring)
        rm -f run.session
        "$lightpath" run "$root/scenarios/pod-64.json" "${few[@]}" --policy $policy --json >out 2>err && ! grep -q 'policy_error\|refused' out &&
            "$lightpath" "$root/scenarios/pod-64.json" "${few[@]}" --policy $policy --keys walk --size 80x24 --save-screen screen >out 2>err </dev/null &&
            "$lightpath" replay run.session --verify --json >out 2>err
        result $? "$policy, $wiring: nothing is refused, and a run with a rewind is read back as it was"
    done
done
exit $failed

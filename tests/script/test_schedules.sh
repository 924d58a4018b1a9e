#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The schedules of circuits that ship, on switches of 128 and 256 ports: each finds one within its
# budget, whatever the number of ports. What match.entries gives, and what is said to wrong places.
# Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-schedules.XXXXXX") || exit 1
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

for ports in 128 256; do
    awk -v ports=$ports '/^  "cluster": [{]/ {
            printf "  \"cluster\": { \"fabric\": \"ocs\", \"ocs\": { \"servers\": %d, \"switches\": 1, \"server_bandwidth\": \"100 GB/s\", ", ports
            print "\"reconfiguration\": \"10 ms\", \"interval\": \"1 s\" }, \"server\": { \"device\": \"A100\", \"memory\": \"80 GB\" } },"
            skip = 1
        }
        !skip { print }
        /^  },/ { skip = 0 }' "$root/scenarios/pac-ml-32.json" >"ocs-$ports.json"
    for schedule in first_fit max_weight bvn solstice eclipse hold queue; do
        "$lightpath" run "ocs-$ports.json" --policy "ocs_$schedule.lua" --set generator.count=12 >out 2>err
        [ $? -eq 0 ] && grep -q 'completed' out && ! grep -q 'failed' err
        result $? "ocs_$schedule finds a schedule for $ports ports"
    done
done

# says BODY TEXT: a policy with this body of partition declines with the text
says() {
    cat >says.lua <<EOF
local policy = { name = "says", api = 1 }
function policy:partition(job, cluster)
  $1
end
return policy
EOF
    "$lightpath" run "$root/scenarios/pac-ml-32.json" --policy says.lua --set generator.count=1 --json >out 2>err
    grep -qF -- "$2" out err
    result $? "says: $2"
}
says 'local v, p = match.entries({ { 0, 7 }, { 2.5, -1 } })
  return nil, ("%s | %s | %s | %d"):format(table.concat(v, " "), table.concat(p.row, " "), table.concat(p.column, " "), p.n)' \
    '7 2.5 -1 | 1 2 2 | 2 1 2 | 2'
says 'local m, sum = match.max_weight({ 5, 4, 4 }, { n = 2, row = { 1, 1, 2 }, column = { 1, 2, 1 } })
  return nil, ("%d %d of %g"):format(m[1], m[2], sum)' '2 1 of 8'
says 'local m, sum = match.max_weight({}, { n = 1, row = {}, column = {} })
  return nil, ("%s of %g"):format(m[1], sum)' 'false of 0'
says 'local t, rest = match.bvn({ 2, 2 }, { n = 2, row = { 1, 2 }, column = { 2, 1 } })
  return nil, ("%d of %g: %d %d, %g"):format(#t, t[1].weight, t[1].match[1], t[1].match[2], rest)' '1 of 2: 2 1, 0'
says 'match.entries({ { 1, 2 } })' 'match.entries: row 1 has 2 entries; expected 1, one for each row'
says 'match.entries({ { "x" } })' 'row 1, column 1 is \"x\"; expected a number'
says 'match.max_weight({ 1 }, { n = 2, row = { 1 }, column = { 3 } })' 'an entry of places.column is 3; expected a whole number from 1 to 2'
says 'match.max_weight({ 1 }, { n = 2, row = {}, column = { 3 } })' 'match.max_weight: places.row has 0 entries; expected 1'
says 'match.bvn({ 1 }, { n = 2, row = { 1 }, column = { 1 } })' 'row 2 of the demand adds up to 0, but row 1 to 1'
# what it costs goes with the steps, and stops the call
says 'local n, v, row, column = 300, {}, {}, {}
  for i = 1, n do
    for j = 1, n do
      v[#v + 1], row[#row + 1], column[#column + 1] = i * j, i, j
    end
  end
  match.max_weight(v, { n = n, row = row, column = column })
  while true do
    match.max_weight({ 1 }, { n = n, row = { 1 }, column = { 1 } })
  end' 'used up its budget'
exit $failed

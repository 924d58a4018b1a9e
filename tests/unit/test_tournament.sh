#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A tournament cannot be won by doing little: who declines everything, keeps everybody waiting or
# takes only what is small ranks below who serves, with ten seeds and with two. Needs $LIGHTPATH.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test tournament.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  out: /' out | cut -c1-300 | head -n 20
        echo "not ok $2"
        failed=1
    fi
}

mkdir entries
cp "$root/scripts/max_parallelism.lua" entries/serves.lua
policy() { # policy NAME BODY
    printf 'local p = { name = "%s", api = 1, doc = "does little" }\nfunction p:partition(job, cluster)\n%s\nend\nreturn p\n' \
        "$1" "$2" >"entries/$1.lua"
}
policy declines '  return nil, "no"'
policy waits '  return "wait"'
policy small '  if job.sequential_jct > 1 or #cluster:degrees(job) == 0 then return nil, "too large" end
  return 1, "small"'

rank() { # rank NAME: its place in out
    awk -v name="$1.lua" '$0 ~ name { print $1; exit }' out
}
for seeds in 1..10 1..2; do
    "$lightpath" tournament pac-ml-32 --policies entries --seeds "$seeds" --set generator.count=60 --until '200 s' >out 2>err
    result $? "tournament with seeds $seeds"
    [ "$(awk '/[.]lua/ { print $2; exit }' out)" = serves.lua ]
    result $? "with seeds $seeds who serves is first"
    for idle in declines waits; do
        [ "$(rank $idle)" != "$(rank serves)" ] && [ "$(rank $idle)" != "1" ] && [ "$(rank $idle)" != "1=" ]
        result $? "with seeds $seeds $idle does not share the first rank"
    done
done
"$lightpath" tournament pac-ml-32 --policies entries --set generator.count=60 >out 2>err
[ "$(rank small)" != 1 ] && [ "$(rank small)" != 1= ]
result $? "who takes only small jobs does not share the first rank"
"$lightpath" tournament pac-ml-32 --policies entries --seeds 1..6 --set generator.count=60 --json >out 2>err
grep -q '"by":"unserved_rate"' out && grep -q '"unfinished":{' out && grep -q '"unserved_rate":1,' out
result $? "the test is of the jobs that were not served, and unfinished ones are told"
exit $failed

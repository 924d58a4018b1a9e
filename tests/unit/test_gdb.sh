#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The printers for gdb show what the results say. Needs $LIGHTPATH, and gdb with Python.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test gdb.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
skip() {
    echo "skip gdb: $1"
    exit 0
}
command -v gdb >/dev/null || skip "there is no gdb"
gdb -nx -batch -ex 'python print("python")' 2>/dev/null | grep -q '^python$' || skip "this gdb has no Python"
readelf -S "$lightpath" 2>/dev/null | grep -q 'debug_info' || skip "the program was built without -g"
program=$(readlink -f "$lightpath")
export LIGHTPATH_DATA=$root ASAN_OPTIONS=detect_leaks=0 HOME=$tmp XDG_CACHE_HOME=$tmp
failed=0
ok() { # ok NAME COMMAND...
    if "${@:2}"; then
        echo "ok $1"
    else
        sed 's/^/  /' shown | tail -n 60
        echo "not ok $1"
        failed=1
    fi
}
run=(run "$root/scenarios/pac-ml-32.json" --hash --until 3000s --set generator.count=20)
until=(run "$root/scenarios/pac-ml-32.json" --json --until 3000s --set generator.count=20)
"$program" "${until[@]}" >json
# at the hash of the end the world is the argument
gdb -nx -batch -ex 'set breakpoint pending off' -ex 'set debuginfod enabled off' -x "$root/scripts/gdb/lightpath.py" \
    -ex 'break lp_world_hash' -ex run -ex 'print *world' -ex 'lp-jobs world' -ex 'lp-job world 3' \
    -ex 'lp-events world' -ex 'lp-job world 999' -ex 'lp-jobs' --args "$program" "${run[@]}" >shown 2>&1
if grep -qiE "ptrace|cannot.*disable.*random|Operation not permitted" shown && ! grep -q 'LpWorld' shown; then
    skip "gdb may not run a program here"
fi
# field NAME: of the result
field() { grep -oE "\"$1\":[^,}]*" json | head -n 1 | cut -d: -f2; }
# job N FIELD: of the result's job N
job() { tr '{' '\n' <json | grep -E "^\"id\":$1," | grep -oE "\"$2\":[^,}]*" | head -n 1 | cut -d: -f2 | tr -d '"'; }

ok "print *world is printed by the pools" grep -qE '= LpWorld = \{' shown
arrived=$(field arrived)
ok "it says how many jobs there are" grep -q "jobs = $arrived, of which" shown
ok "it says how many servers there are" grep -q 'servers = 32: 0 busy, 0 broken, 32 free' shown
ok "it says that the run is over" grep -q 'phase = over' shown
# rows of the table, and members that gdb showed for them
sed -n '/define LP_IMAGE_POOLS/,/^$/p' "$root/engine/sim/state/image.h" | sed -nE 's/^ +X\(([a-z]+), .*/\1/p' | sort >pools
grep -oE '[a-z]+ = [0-9]+ (items|bytes) at [0-9]+' shown | cut -d' ' -f1 | sort >found
ok "every pool of the table has a line" eval '[ -s pools ] && cmp pools found'
wrong=0
for id in 0 1 2 3 5 8 13 19; do
    line=$(awk -v id="$id" '$1 == id && NF == 7' shown)
    set -- $line
    [ "${2:-}" = "$(job "$id" outcome)" ] || { echo "  job $id: gdb has ${2:-nothing}, the result $(job "$id" outcome)" && wrong=1; }
    awk -v a="${5:-x}" -v b="$(job "$id" arrival)" 'BEGIN { d = a - b; exit !(d * d <= 1e-12 * b * b) }' || { echo "  job $id: arrival" && wrong=1; }
done
ok "lp-jobs has the outcomes and arrivals of the results" [ "$wrong" = 0 ]
ok "lp-job has the members of a job" grep -qE "^  graph +$(awk '$1 == 3 && NF == 7 { print $3 }' shown)\$" shown
ok "lp-job says when there is no such job" grep -q 'there is no job 999' shown
ok "lp-events says what time it is" grep -qE '^now [0-9.e+]+ s, phase over, [0-9]+ events so far' shown
ok "a command without its world says what it expects" grep -q 'expected: lp-jobs WORLD' shown

# ---- in the middle: jobs run, a decision is due, timers are set ----

gdb -nx -batch -ex 'set debuginfod enabled off' -x "$root/scripts/gdb/lightpath.py" -ex 'break lp_world_decide if id == 9' \
    -ex run -ex 'print *world' -ex 'lp-events world' -ex 'lp-jobs world' --args "$program" "${run[@]}" >shown 2>&1
ok "lp-events names the job that is to be decided" grep -q '^decision due: job 9$' shown
running=$(awk '$2 == "running" { n++ } END { print n + 0 }' shown)
ok "lp-jobs knows who runs" [ "$running" -gt 0 ]
listed=$(sed -nE 's/.*running = ([0-9 ]*), waiting.*/\1/p' shown | wc -w)
ok "print *world lists as many running jobs" [ "$listed" = "$running" ]
ok "each of them has a timer for its end" [ "$(grep -cE '^timer .* end +job [0-9]+$' shown)" = "$running" ]
timers=$(grep -E '^timer ' shown | awk '{ print $2 }')
ok "timers stand in the order in which they come" [ "$timers" = "$(printf '%s\n' "$timers" | sort -g)" ]
"$program" "${until[@]}" --log sim 2>log >json
at=$(grep -E ' s sim arrival job 9 ' log | cut -d' ' -f1)
ok "the log has that moment, too" grep -qE "^now $at s, " shown
exit "$failed"

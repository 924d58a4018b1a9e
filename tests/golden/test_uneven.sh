#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `lightpath collective` with demand= and combs= from outside: what docs/uneven.md and docs/combs.md say it prints,
# the bytes of its JSON, what it refuses, and the results of another model where they are at hand. Needs $LIGHTPATH.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
program=${LIGHTPATH:-build/release/lightpath}
[ -x "$program" ] || { echo "skip uneven: there is no program $program" && exit 0; }
work=$(mktemp -d "${TMPDIR:-/tmp}/uneven.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

verdict() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok uneven: $1"
    else
        sed 's/^/  /' "$work/out" "$work/err" | head -n 20
        echo "not ok uneven: $1"
        failed=1
    fi
}
collective() {
    "$program" collective "$@" >"$work/out" 2>"$work/err" </dev/null
}
page_has() { # PAGE: the lines of stdin
    while IFS= read -r line; do
        grep -qxF -- "$line" "$1" || echo "$1 has no line $line" >>"$work/err"
    done
    [ ! -s "$work/err" ]
}

# ---- an uneven all-to-all ----
page=docs/uneven.md
by_hand="demand=0,6MB,0,1MB/4MB,0,2MB,0/0,2MB,0,5MB/1MB,0,3MB,0 rate=50GB/s hop=500ns compute=100GB/s launch=2us"
grep -qF "\"$by_hand\"" $page
verdict "the page has the command" $?
collective "$by_hand" --delays 10us
sed -n '/^ *10 us/p' "$work/out" | page_has $page
verdict "the worked example is what the page says" $?
collective "$by_hand cut=max_weight" --delays 10us --each --ascii
grep -qxF '     1  turn       10.5 us      130.5 us       18 MB  0-1 1-0 2-3 3-2' "$work/out" &&
    grep -qxF '     2  turn        141 us        181 us        6 MB  0-3 1-2 2-1 3-0' "$work/out" &&
    grep -qxF '  max_weight  ###################################       214.5 us' "$work/out"
verdict "matching by matching, and a bar" $?
LC_ALL=C awk '/[^ -~]/ { bad = 1 } END { exit bad }' "$work/out"
verdict "... in ASCII" $?
collective "$by_hand packet_ports=1 cut=greedy matchings=1" --delays 10us --json
cat >"$work/want" <<'END'
{"lightpath":1,"rows":[
{"delay":1e-05,"cut":"greedy","matchings":1,"turns":1,"communication":0.0001305,"time":0.00019250000000000002,"batches":2,"bound":8.25e-05,"by_matchings":[0.00024250000000000004,0.00019250000000000002,0.0002145]}],"ideal":0.00024250000000000004,"servers":4,"bytes":24000000,"local":0}
END
cmp -s "$work/out" "$work/want"
verdict "JSON, byte for byte" $?
printf '0, 6MB\n4MB, 0\n' >"$work/rows.csv"
collective "demand=$work/rows.csv rate=50GB/s" --json && cp "$work/out" "$work/file" && collective "demand=0,6MB/4MB,0 rate=50GB/s" --json &&
    cmp -s "$work/out" "$work/file"
verdict "a demand in a file" $?
collective "demand=zipf:6,1,6MB rate=50GB/s matchings=2 cut=bvn" --delays 0
grep -qxF '  bvn         never: bytes are left, and there is no port for packets' "$work/out"
verdict "what never ends" $?

# ---- jobs on one link ----
page=docs/combs.md
two="combs=100ms/1GB,100ms/1GB rate=10GB/s shift=0,0/0,50ms"
grep -qF "\"$two\"" $page
verdict "the page has the command of two jobs" $?
collective "$two"
sed -n '/^  .*ms, /p; /^fits:/p; /^two equal/p; /^  job/p' "$work/out" | page_has $page
verdict "two jobs are what the page says" $?
collective "combs=200ms/1.5GB,100ms/1.5GB,200ms/1GB rate=10GB/s shift=0,0,77ms steps=100 tries=1"
grep -q 'sensitive: three or more jobs under fair shares, only a sample$' "$work/out"
verdict "three jobs are said to be a sample" $?
collective "combs=1s/10,1s/10 rate=10 shift=0,1 steps=4" --json
cat >"$work/want" <<'END'
{"lightpath":1,"alone":[2,2],"share":[0.5,0.5],"rows":[
{"shift":[0,1],"step":[2,2],"slowdown":1,"sensitive":false}],
"best":{"shift":[0,1],"step":[2,2],"slowdown":1,"sensitive":false},"fits":{"from":1,"width":0,"every":2},"bound":2}
END
cmp -s "$work/out" "$work/want"
verdict "JSON of jobs, byte for byte" $?
collective "combs=1s/10,1s/10 rate=10 steps=2" --each --ascii
[ "$(grep -cE '^ +[01] +[01] +[0-9.]+ s +[0-9.]+ s$' "$work/out")" -eq 4 ] && LC_ALL=C awk '/[^ -~]/ { bad = 1 } END { exit bad }' "$work/out"
verdict "every send, in ASCII" $?

# ---- what is refused ----
refuse() { # WHY WORDS
    collective "$2"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -- "$1" "$work/err"
    verdict "refused: $1" $?
}
refuse "demand: row 1 has 3 values: expected 2" "demand=0,1/1,0,2 rate=1GB/s"
refuse "demand: 1.5 in row 0: expected whole bytes" "demand=0,1.5/1,0 rate=1GB/s"
refuse "demand: 1 row: expected 2 to 64" "demand=5 rate=1GB/s"
refuse "demand=nowhere.csv: " "demand=nowhere.csv rate=1GB/s"
refuse "rows.csv:2:3: x in row 1" "demand=$(printf '0,1\n2,x\n' >"$work/rows.csv" && echo "$work/rows.csv") rate=1"
refuse "rate must be there" "demand=0,1/1,0"
refuse "cut=best: expected rotations, bvn" "demand=uniform:4,1MB cut=best rate=1GB/s"
refuse "demand=uniform:65,1MB: 65: expected a number of servers from 2 to 64" "demand=uniform:65,1MB rate=1GB/s"
refuse "there is no key server" "demand=uniform:4,1MB server=4 rate=1GB/s"
refuse "tile=1.5: expected whole bytes" "demand=uniform:4,1MB rate=1GB/s tile=1.5"
refuse "combs: 1 job: expected 2 to 8" "combs=100ms/1GB rate=1GB/s"
refuse "combs: job 1 computes 0 s and sends 1 GB" "combs=100ms/1GB,0ms/1GB rate=1GB/s"
refuse "shift=0,0,0: 3 values for 2 jobs" "combs=100ms/1GB,100ms/1GB rate=1GB/s shift=0,0,0"
refuse "cap: 3 values for 2 jobs" "combs=100ms/1GB,100ms/1GB rate=1GB/s cap=1,1,1"
refuse "cap=0: expected more than 0" "combs=100ms/1GB,100ms/1GB rate=1GB/s cap=0"
refuse "combs=100ms: expected a time and bytes" "combs=100ms,100ms/1GB rate=1GB/s"
refuse "expected at most 1e+07" "combs=1ns/1,1000s/1GB rate=1GB/s"

# ---- the results of another model ----
goldens=$root/../shared/goldens/collective
if ! ls "$goldens"/[0-9]*.json >/dev/null 2>&1 || ! command -v python3 >/dev/null; then
    echo "skip uneven: the results of another model are not at hand"
    exit $failed
fi
python3 - "$program" "$goldens" >"$work/out" 2>"$work/err" <<'PY'
import glob, json, shlex, subprocess, sys
program, folder = sys.argv[1:]
wrong, numbers, cases = [], 0, 0
def compare(got, want, where, near):
    # `near` is what else a number may be compared with: the row's best, or a period
    global numbers
    if isinstance(want, dict) and isinstance(got, dict):
        skip = ("step", "slowdown", "shift") if want.get("sensitive") else ()
        for key, value in want.items():
            if key not in skip:
                compare(got.get(key, "not there"), value, where + "." + key, want.get("every") or near)
    elif isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        for i, (a, b) in enumerate(zip(got, want)):
            compare(a, b, "%s[%d]" % (where, i), near)
    else:
        numbers += 1
        is_float = isinstance(want, float) and type(got) in (int, float)
        if not (abs(got - want) <= 1e-9 * max(abs(want), near) if is_float else got == want and (got is None) == (want is None)):
            wrong.append("%s is %r, expected %r" % (where, got, want))
for name in sorted(glob.glob(folder + "/[0-9]*.json")):
    case = json.load(open(name))
    if "demand=" not in case["command"] and "combs=" not in case["command"]:
        continue
    cases += 1
    ran = subprocess.run([program] + shlex.split(case["command"])[1:], capture_output=True, text=True)
    if ran.returncode != case["exit"]:
        wrong.append("%s: exit %d, expected %d: %s" % (name, ran.returncode, case["exit"], ran.stderr))
    elif case["exit"] == 0:
        compare(json.loads(ran.stdout), case["expect"], name, 0)
    elif ran.stdout or [text for text in case["says"] if text not in ran.stderr]:
        wrong.append("%s: %s" % (name, ran.stderr))
print("# %d cases, %d numbers and words compared, %d differ" % (cases, numbers, len(wrong)))
sys.exit("\n".join(wrong[:10]) or (0 if cases > 30 and numbers > 1000 else "too few cases"))
PY
verdict "all numbers are those of another model" $?
grep '^#' "$work/out"
exit $failed

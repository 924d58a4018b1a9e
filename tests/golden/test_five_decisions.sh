#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The scenarios in which one decision matters at a time: what each choice costs, by runs, and that their notes say
# so. Needs $LIGHTPATH and python3.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
[ -x "$program" ] || { echo "skip five decisions: there is no program $program" && exit 0; }
command -v python3 >/dev/null || { echo "skip five decisions: there is no python3" && exit 0; }
work=$(mktemp -d "${TMPDIR:-/tmp}/five.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

verdict() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok five decisions: $1"
    else
        sed 's/^/  /' "$work/out" "$work/err" | head -n 20
        echo "not ok five decisions: $1"
        failed=1
    fi
}

# value SCENARIO JOB FIELD [OPTION...]: of a run; none where the job did not end
value() {
    local scenario=$1 job=$2 field=$3
    shift 3
    "$program" run "$scenario" "$@" --json 2>>"$work/err" </dev/null |
        python3 -c 'import json, sys
value = json.load(sys.stdin)["jobs"][int(sys.argv[1])][sys.argv[2]]
print("none" if value is None else repr(value))' "$job" "$field" 2>>"$work/err"
}

# told SCENARIO WORDS: its notes say so
told() {
    python3 -c 'import json, sys; sys.exit(sys.argv[2] not in json.load(open(sys.argv[1]))["notes"])' "scenarios/$1.json" "$2"
}

# costs NAME SCENARIO JOB FIELD BEFORE AFTER PERCENT WORDS OPTION...: the field is BEFORE as the scenario has it and
# AFTER with the options, in seconds to three digits, PERCENT less, and the notes say WORDS
costs() {
    local name=$1 scenario=$2 job=$3 field=$4 before=$5 after=$6 percent=$7 words=$8 is will
    shift 8
    : >"$work/err"
    is=$(value "$scenario" "$job" "$field")
    will=$(value "$scenario" "$job" "$field" "$@")
    awk -v is="$is" -v will="$will" -v b="$before" -v a="$after" -v p="$percent" 'BEGIN {
        printf "%.3g s became %.3g s, %.0f %% less\n", is, will, 100 * (1 - will / is)
        exit sprintf("%.3g", is) + 0 != b || sprintf("%.3g", will) + 0 != a || sprintf("%.0f", 100 * (1 - will / is)) != p }' >"$work/out"
    verdict "$name: $percent % less" $?
    told "$scenario" "$words"
    verdict "$name: $scenario says so" $?
}

five=five-decisions
costs "split" $five 0 jct 15.4 2.84 82 "degree=4 takes 82 %" --param degree=4
costs "place" $five 1 jct 6.62 2.84 57 "together=true 57 %" --param together=true
costs "order of ops" $five 2 jct 6.65 4.85 27 "ops=critical_path 27 %" --param ops=critical_path
costs "circuits" $five 3 jct 6.62 2.85 57 "regroup=true 57 %" --param regroup=true
costs "order of flows" $five 4 jct 7.6 6 21 "flows=critical_path 21 %" --param flows=critical_path
costs "order of ops on ramp" orders-ramp 0 step_time 0.0665 0.0485 27 "27 % off the step" --param ops=critical_path
costs "order of flows on ramp" orders-ramp 1 step_time 0.076 0.06 21 "21 % off that" --param flows=critical_path

# Each parameter decides about one job: the other four are as before.
jcts() {
    "$program" run $five "$@" --json 2>"$work/err" </dev/null | python3 -c 'import json, sys
print(*(job["jct"] for job in json.load(sys.stdin)["jobs"]))' 2>>"$work/err"
}
jcts >"$work/before"
job=0
for param in degree=4 together=true ops=critical_path regroup=true flows=critical_path; do
    jcts --param "$param" >"$work/after"
    paste -d ' ' "$work/before" "$work/after" |
        awk -v job=$job '{ for (i = 1; i <= 5; i++) if (($i == $(i + 5)) != (i != job + 1)) bad = bad " " i - 1 } END { print "jobs" bad; exit bad != "" || NR != 1 }' >"$work/out"
    verdict "$param changes job $job and no other" $?
    job=$((job + 1))
done

# A policy that asks for forecasts finds all five; with both orders the last job gains a little more.
jcts --policy five_forecasts.lua >"$work/out"
[ "$(awk '{ printf "%.2f %.2f %.2f %.2f %.2f", $1, $2, $3, $4, $5 }' "$work/out")" = "2.84 2.84 4.85 2.85 5.80" ]
verdict "forecasts find all five" $?

"$program" run place-ramp --json >"$work/json" 2>"$work/err" </dev/null
python3 - "$work/json" >"$work/out" 2>>"$work/err" <<'P'
import json, sys
jct = [job["jct"] for job in json.load(open(sys.argv[1]))["jobs"]]
print(*("%.2f" % j for j in jct), "%.0f %%" % (100 * (jct[3] / jct[0] - 1)))
P
[ "$(cat "$work/out")" = "1.82 2.44 2.93 3.00 64 %" ] && told place-ramp "1.82 s, the last 3.00 s, 64 % more"
verdict "four servers in four shapes" $?

for hold in 1:4.52 0.1:4.82 0.02:6.14; do
    value circuits-ocs 0 jct --param circuits=pairs --param hold=${hold%:*} >"$work/out"
    [ "$(printf %.2f "$(cat "$work/out")")" = ${hold#*:} ] && told circuits-ocs "${hold#*:} s"
    verdict "pairs held for ${hold%:*} s" $?
done
value circuits-ocs 0 jct >"$work/out"
[ "$(printf %.2f "$(cat "$work/out")")" = 2.85 ] && told circuits-ocs "JCT 2.85 s"
verdict "a ring" $?
value circuits-ocs 0 jct --param circuits=none >"$work/out"
[ "$(cat "$work/out")" = none ]
verdict "without light the job never ends" $?
exit $failed

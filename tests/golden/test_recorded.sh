#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Recorded steps as jobs: what import writes of them runs as long as the doctor says, a scenario may
# name their files, and a session keeps what it needs of them.
#
#   tests/golden/test_recorded.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
lightpath=${LIGHTPATH:-build/release/lightpath}
[ "${lightpath#/}" != "$lightpath" ] || lightpath=$root/$lightpath
work=$(mktemp -d "${TMPDIR:-/tmp}/recorded.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

result() { # NAME CODE
    if [ "$2" = 0 ]; then
        echo "ok $1"
    else
        echo "not ok $1"
        failed=1
    fi
}

# number KEY: its first value in what is read
number() {
    sed -n "s/.*\"$1\": *\([0-9.e+-]*\).*/\1/p" | head -1
}

# as_the_doctor NAME FORMAT FILE...: both times are one to 1e-9
as_the_doctor() {
    local name=$1 said ran
    shift
    said=$("$lightpath" doctor "$@" --server-bandwidth 1GB/s --latency 100ns --json | number step_ns)
    "$lightpath" import "$@" --server-bandwidth 1GB/s --latency 100ns -o "$work/made.json" 2>"$work/err" &&
        "$lightpath" check "$work/made.json" >/dev/null &&
        ran=$("$lightpath" run "$work/made.json" --json | number step_time) &&
        awk -v a="$said" -v b="$ran" 'BEGIN { d = a - 1e9 * b; exit !(a > 0 && d * d <= 1e-18 * a * a) }'
    result "$name" $?
}

cat >"$work/layers.txt" <<'TXT'
HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 2 all_gpus: 4
2
one -1 1000 ALLREDUCE 4096 2000 ALLREDUCE 8192 1500 REDUCESCATTER 65536 10
two -1 3000 NONE 0 2500 ALLGATHER 100 500 NONE 0 20
TXT

as_the_doctor "goal" goal scenarios/traces/pipeline-4.goal
as_the_doctor "simai" simai "$work/layers.txt"
shared=../shared/goldens/formats
if [ -d $shared ]; then
    as_the_doctor "chakra" chakra $shared/chakra/step
    as_the_doctor "chakra, one collective" chakra $shared/chakra/all_gather
    as_the_doctor "goal, another" goal $shared/goal/small.goal
else
    echo "skip traces of the goldens: there is no $shared"
fi

# on a cluster that is there
"$lightpath" import goal scenarios/traces/pipeline-4.goal --cluster scenarios/leaf-spine.json -o "$work/on.json" 2>/dev/null &&
    "$lightpath" check "$work/on.json" >/dev/null &&
    "$lightpath" run "$work/on.json" | grep -q '1 arrived: 1 completed'
result "on the cluster of a scenario" $?

# the same step in a file and written out is the same run
python3 - "$work" <<'PY'
import json, sys
work = sys.argv[1]
made = json.load(open("scenarios/two-traces.json"))
made["graphs"] = made["graphs"][:1]
made["jobs"] = made["jobs"][:1]
graph = dict(json.load(open(work + "/on.json"))["graphs"][0], id="pipeline")
made["graphs"][0]["files"] = "pipeline.goal"
json.dump(made, open(work + "/file.json", "w"))
made["graphs"] = [graph]
json.dump(made, open(work + "/out.json", "w"))
PY
cp scenarios/traces/pipeline-4.goal "$work/pipeline.goal"
[ "$("$lightpath" run "$work/file.json" --hash)" = "$("$lightpath" run "$work/out.json" --hash)" ]
result "files and ranks are the same run" $?

# a session is opened again without the files
printf 'n\n:write %s\n' "$work/kept.session" >"$work/keys"
"$lightpath" "$work/file.json" --keys "$work/keys" --size 80x24 --save-screen "$work/screen" >/dev/null 2>"$work/err" &&
    rm "$work/pipeline.goal" &&
    ! "$lightpath" check "$work/file.json" >/dev/null 2>"$work/err" &&
    grep -q 'pipeline.goal' "$work/err" &&
    "$lightpath" replay "$work/kept.session" --verify >/dev/null 2>"$work/err" && [ ! -s "$work/err" ]
result "a session keeps the step" $?

"$lightpath" run scenarios/two-traces.json --set 'graphs[0].trace=swf' >/dev/null 2>"$work/err"
grep -q 'swf holds no step of ranks' "$work/err"
result "a format without steps is refused" $?
exit $failed

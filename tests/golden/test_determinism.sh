#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The same scenario, policy and seed give the same bytes: in every run, in another environment, and
# whatever compiler and optimisation made the program (docs/determinism.md).
#
#   tests/golden/test_determinism.sh
#
# The program ($LIGHTPATH) is compared with itself in another environment, and with a build by clang
# where one of these very sources is at hand: in $LP_CLANG_BUILD (build/clang; .ci/run makes it).
# LP_DETERMINISM=all (make nightly) also builds gcc -O3, gcc -O0, clang -O0, clang -O3, and -O3 for
# this very processor (-march=native) with both. LP_DETERMINISM=run compares with no build, which is
# the default where the program itself is built to be checked (MODE=asan ...): the other builds would
# be those that MODE=release compares already.
#
# In `make test` the largest runs have fewer jobs, and 20 processes are compared, not 50: what could
# differ shows in the first jobs, and a job more is the same code. LP_DETERMINISM=all has them whole.
#
# The runs of a pass are done in one process (tests/many), one after the other; elsewhere they are
# done in the reverse order, so that what one leaves behind for the next would be seen.
set -u
[ "${MODE:-release}" = release ] || : "${LP_DETERMINISM:=run}"
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
. tests/many/many.sh
reference=${LIGHTPATH:-build/release/lightpath}
[ "${reference#/}" != "$reference" ] || reference=$root/$reference
if [ ! -x "$reference" ]; then
    echo "skip determinism: there is no program $reference"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/determinism.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
unset LIGHTPATH_DATA
some=yes processes=20
[ "${LP_DETERMINISM:-}" != all ] || some=no processes=50

# A policy that uses whatever could differ: chance, tables in the order of pairs, sorting, texts
# made of numbers, logarithms, forecasts, its own servers and orders, waiting.
cat >"$work/probe.lua" <<'LUA'
local policy = { name = "probe", api = 1 }
local orders = { "srpt", "critical_path", "fifo" }

function policy:partition(job, cluster)
  if job.waited == 0 and #cluster.waiting < 4 and self:rand() < 0.3 then
    return "wait", "later", { retry = 0.5 + 3 * self:rand() }
  end
  local by_name, words = {}, {}
  for _, degree in ipairs(cluster:degrees(job)) do
    local forecast = cluster:predict(job, { degree = degree, order_ops = orders[degree % 3 + 1] })
    by_name["ways " .. degree] = forecast.step_time and math.log(forecast.step_time) or 0
  end
  for name, value in pairs(by_name) do
    words[#words + 1] = ("%s %.17g"):format(name, value)
  end
  table.sort(words, function(a, b) return a:sub(-3) < b:sub(-3) end)
  local degrees = cluster:degrees(job)
  if #degrees == 0 then
    return nil, "nothing may be answered"
  end
  return degrees[self:rand(#degrees)], table.concat(words, ", "):sub(1, 150)
end

function policy:place(job, cluster)
  local n = job.rigid or cluster:predict(job, { degree = job.degree }).partition_degree
  local blocks = n and cluster:blocks(n) or {}
  if #blocks == 0 then
    return nil, "no block"
  end
  return { servers = blocks[self:rand(#blocks)].servers }
end

function policy:order_ops()
  return orders[self:rand(3)]
end

function policy:order_flows()
  return orders[self:rand(3)]
end

return policy
LUA

options=$(sed -nE 's/^ *X\([A-Z_]+, "([a-z_]+)", "[-Q][^"]*",.*/\1/p' engine/model/options.h)

# run_ NAME SCENARIO ARGUMENT...: a run with everything in it
run_() {
    local name=$1 scenario=$2
    shift 2
    one_case "$name" run "$root/scenarios/$scenario.json" --json --hash "$@"
}

# every_case: a line for each, in which @OUT@ is the folder of the results
every_case() {
    local scenario option policy graph moment
    for scenario in "$root"/scenarios/*.json; do
        scenario=$(basename "$scenario" .json)
        set -- --until '2e6 s'
        # of jobs that share links, a few tell as much and take far less time
        [ "$scenario" != optics-vs-packets ] || set -- "$@" --set generator.count=6
        [ "$scenario" != leaf-spine ] || set -- "$@" --set generator.count=60
        case $some:$scenario in
        yes:ideal-loss | yes:ocs-failures) set -- "$@" --set generator.count=60 ;;
        yes:published-32) set -- "$@" --set generator.count=90 ;;
        esac
        run_ "$scenario" "$scenario" "$@"
        run_ "$scenario-probe" "$scenario" --policy "$work/probe.lua" --set queue_capacity=4 "$@"
        # the published rules have no meaning on links that jobs share, nor for plans
        ! grep -q '"parallel"' "$root/scenarios/$scenario.json" && grep -q '"fabric": "\(ramp\|ideal\)"' "$root/scenarios/$scenario.json" &&
            run_ "$scenario-published" "$scenario" --set semantics=published "$@"
        run_ "$scenario-corrected" "$scenario" --set semantics=corrected "$@"
    done
    for scenario in pac-ml-32 published-32; do
        run_ "$scenario-random" $scenario --policy random.lua --seed 7
        one_case "$scenario-table" run "$root/scenarios/$scenario.json" --csv --seed 18446744073709551615
        one_case "$scenario-summary" run "$root/scenarios/$scenario.json" --until '50 s'
        one_case "$scenario-trace" run "$root/scenarios/$scenario.json" --set generator.count=12 \
            --hash --trace "@OUT@/$scenario-trace.jsonl"
    done
    for option in $options; do
        # circuits corrected with step_clock published has no meaning, nor has collective_light with collective
        run_ "$option-published" pac-ml-32 --set generator.count=80 --set "options.$option=published" \
            $([ "$option" != step_clock ] || echo --set options.circuits=published)
        run_ "$option-corrected" published-32 --set generator.count=80 --set "options.$option=corrected" \
            $([ "$option" != circuits ] || echo --set options.step_clock=corrected) \
            $([ "$option" != collective_light ] || echo --set options.collective=corrected)
    done
    for policy in "$root"/scripts/*.lua; do
        run_ "$(basename "$policy" .lua)" pac-ml-32 --policy "$policy" --set generator.count=80
    done
    run_ data-parallel pac-ml-32 --set generator.kind=data
    run_ data-parallel-after pac-ml-32 --set generator.kind=data --set partition.overlap=false
    run_ interleaved leaf-spine --set cluster.packet.sharing=interleaved --set generator.count=60
    run_ shared-racks pac-ml-32 --set cluster.ramp.rack_isolated=false
    run_ slow-light pac-ml-32 --set cluster.ramp.node_bandwidth='3.125 GB/s'
    run_ several-channels published-32 --set cluster.ramp.channels=3
    run_ two-devices pac-ml-32 \
        --set cluster.server='[{"device":"A100","count":16},{"device":"V100","count":16}]'
    run_ probabilities pac-ml-32 --set generator.max_jct_fraction='{"pmf": {"0.25": 0.5, "0.75": 0.5}}'
    run_ one-of-several pac-ml-32 \
        --set generator.max_jct_fraction='{"choice": [{"fixed": 0.5}, {"uniform": {"min": 0.1, "max": 1}}]}'
    run_ skewed pac-ml-32 --set generator.max_jct_fraction='{"skew_normal": {"skewness": 5, "min": 0.1, "max": 1, "decimals": 2}}'
    run_ continuous pac-ml-32 --set generator.max_jct_fraction='{"uniform": {"min": 0.1, "max": 1}}'
    run_ with-replacement pac-ml-32 --set generator.sampling=replace --seed 3
    for graph in alexnet vgg16 resnet18 squeezenet1_0 gnmt transformer; do
        one_case "predict-$graph" predict "zoo:$graph" --json
        one_case "predict-$graph-published" predict "zoo:$graph" --json --semantics published \
            --fabric ramp:4x4x4 --quantum '10 us' --degree 1,2,4,6,8,16
        one_case "predict-$graph-slow" predict "zoo:$graph" --json --bandwidth '2 GB/s' --degree 3,5,12 \
            --fabric ramp:3x3x2 --trace "@OUT@/predict-$graph.jsonl"
    done
    one_case predict-profile predict "$root/scenarios/graphs/two-ops.txt" --json --fabric ideal:4
    for moment in d0 d5 d40; do # what networks say and what moved them
        one_case "networks-$moment" whatif "$root/scenarios/pac-ml-32.json" --json --at "$moment" \
            --policy "$root/tests/tui/policies/networks.lua"
    done
    one_case import import pipedream "$root/scenarios/graphs/two-ops.txt"
}

# all PROGRAM OUT [--reverse]: every case
all() {
    mkdir -p "$2"
    sed "s|@OUT@|$2|g" "$work/cases" | many "$1" ${3-} "$2" || echo "exit status $? of all cases" >"$2/all"
}

# same NAME OUT: OUT holds what the reference printed
same() {
    if diff -rq "$work/reference" "$2" >"$work/diff"; then
        echo "ok determinism: $1 ($cases results)"
        rm -rf "$2"
        return
    fi
    sed "s|$work/||g" "$work/diff" | head -n 20
    diff -r "$work/reference" "$2" | cut -c1-300 | head -n 20
    echo "not ok determinism: $1 ($(wc -l <"$work/diff") of $cases results differ)"
    failed=1
}

# --- the reference, and that it says anything at all ---------------------------------------------------
every_case >"$work/cases"
all "$reference" "$work/reference"
cases=$(find "$work/reference" -type f | wc -l)
bad=$(cd "$work/reference" && { find . -type f -empty; grep -l '^exit status' -- *; })
if [ -z "$bad" ]; then
    echo "ok determinism: every case runs"
else
    for name in $bad; do
        echo "$name: $(tail -n 2 "$work/reference/$name")"
    done
    echo "not ok determinism: every case runs"
    failed=1
fi

# A comparison that cannot fail proves nothing: each of these changes the bytes and the hash.
mkdir -p "$work/changed"
{
    run_ seed pac-ml-32 --policy random.lua --seed 8
    run_ policy pac-ml-32 --seed 7
    run_ bandwidth pac-ml-32 --policy random.lua --seed 7 --set cluster.ramp.node_bandwidth='1.5 TB/s'
    run_ option pac-ml-32 --policy random.lua --seed 7 --set options.collective=published
} | many "$reference" "$work/changed"
hashes=$(grep -ohE '"hash": ?"[0-9a-f]{16}"' "$work/reference/pac-ml-32-random" "$work/changed"/* | sort -u | wc -l)
if [ "$hashes" -eq 5 ]; then
    echo "ok determinism: seed, policy, cluster and option each change the hash"
else
    echo "$hashes different hashes of 5 runs"
    echo "not ok determinism: seed, policy, cluster and option each change the hash"
    failed=1
fi

# --- many processes ----------------------------------------------------------------------------------------
# Policies whose answers hang on what Lua leaves open: the length of lists with holes, objects as
# keys, and how many instructions it takes to keep names in tables.
cat >"$work/tiny.json" <<'JSON'
{ "lightpath": 1, "name": "tiny",
  "cluster": { "fabric": "ramp", "ramp": { "communication_groups": 2, "racks_per_group": 2,
    "servers_per_rack": 4 } },
  "graphs": [ { "id": "alexnet", "zoo": "alexnet", "batch": 32 } ],
  "generator": { "count": 30, "interarrival": { "fixed": 1 }, "steps": 10, "graphs": ["alexnet"] },
  "partition": { "max_degree": 8 } }
JSON
process() { # PROCESS...: under a command such as setarch -R
    local padding
    padding=$(head -c $((RANDOM % 5000)) /dev/zero | tr '\0' x)
    PADDING=$padding "$@" "$reference" compare "$work/tiny.json" --seeds 1 --threads 1 --json \
        --policy "$root/tests/golden/policies/holes.lua" \
        --policy "$root/tests/golden/policies/objects.lua" \
        --policy "$root/tests/golden/policies/edge.lua" 2>&1 </dev/null | sha256sum
}
fixed=env
setarch -R true 2>/dev/null && fixed='setarch -R'
for number in $(seq $processes); do
    if [ $((number % 5)) -eq 0 ]; then
        process $fixed # addresses that are not random
    else
        process env
    fi
done | sort | uniq -c >"$work/processes"
first=$("$reference" compare "$work/tiny.json" --seeds 1 --threads 1 --json \
    --policy "$root/tests/golden/policies/holes.lua" \
    --policy "$root/tests/golden/policies/objects.lua" 2>/dev/null </dev/null)
if [ "$(wc -l <"$work/processes")" -eq 1 ] && grep -q '"completed":30' <<<"$first"; then
    echo "ok determinism: lists with holes, objects as keys and budgets in $processes processes"
else
    cat "$work/processes"
    echo "not ok determinism: lists with holes, objects as keys and budgets in $processes processes"
    failed=1
fi

# --- again, elsewhere ----------------------------------------------------------------------------------
alone='pac-ml-32 pac-ml-32-probe leaf-spine-corrected published-32-random published-32-table
    published-32-summary published-32-trace predict-gnmt-slow predict-profile networks-d5 import'
alone=$(echo $alone)
foreign=$(locale -a 2>/dev/null | grep -m 1 -iE '^(de|fr|es|pt|ru)_.*utf-?8') || foreign=C
(
    cd / || exit 1
    export LC_ALL=$foreign LANG=$foreign TZ=Asia/Kathmandu TERM=dumb HOME=/nonexistent COLUMNS=7
    # another size of the environment, so other addresses on the stack
    padding=$(head -c 30000 /dev/zero | tr '\0' x)
    export padding
    umask 077
    ulimit -s 4096
    all "$reference" "$work/elsewhere" --reverse
    # a process each, the program itself, of every kind of run
    mkdir "$work/alone" && sed "s|@OUT@|$work/alone|g" "$work/cases" |
        grep -E "^($(tr ' ' '|' <<<"$alone"))"$'\t' | MANY_EACH=1 many "$reference" "$work/alone"
)
same "the same program in another environment" "$work/elsewhere"
bad=
for name in $alone $(cd "$work/alone" && ls); do
    cmp -s "$work/reference/$name" "$work/alone/$name" || bad+=" $name"
done
if [ -z "$bad" ]; then
    echo "ok determinism: the program itself, a process each ($(ls "$work/alone" | wc -l) results)"
else
    echo "these differ:$bad"
    echo "not ok determinism: the program itself, a process each"
    failed=1
fi

# --- other builds ----------------------------------------------------------------------------------------
# No object of the engine may hold a fused multiply-add: -ffp-contract=off.
fused() {
    command -v objdump >/dev/null || return 0
    find "$1/engine" -name '*.o' -exec objdump -d {} + 2>/dev/null |
        awk '/file format/ { file = $1 } /\t(vfn?m(add|sub)|fn?madd|fn?msub|fml[as])/ { print file $0 }' |
        head -n 5
}

# What only draws and reads arguments is taken from the program itself where its objects are at hand:
# compiling it again would take longer than all runs.
objects=$(dirname "$reference")/.objects
shared() { # -> $drawn
    local object
    drawn=
    [ -r "$objects" ] || return
    for object in $(cat "$objects"); do
        case $object in
        ui/* | */ui/*) ;;
        *) continue ;;
        esac
        [ -r "$object" ] || { drawn= && return; }
        case $object in
        */ui/main.o) ;;
        /*) drawn+=" $object" ;;
        *) drawn+=" $root/$object" ;; # an archive elsewhere needs whole names
        esac
    done
}

# build DIR COMPILER FLAGS ARGUMENT...: the program and its driver. Without optimisation whole rooms
# are compiled at once where the Makefile can do that: it takes less than half of the time.
build() {
    local dir=$1 compiler=$2 flags=$3 mode=release
    shift 3
    [ "$flags" != -O0 ] || ! make -n MODE=dev O="$dir" CC="$compiler" all >"$work/log" 2>&1 </dev/null || mode=dev
    make -j"$(nproc 2>/dev/null || echo 2)" MODE=$mode O="$dir" CC="$compiler" WERROR=0 \
        CFLAGS="$flags -g0 -U_FORTIFY_SOURCE" CPPFLAGS= LDFLAGS= "$@" all "$dir/tests/many/many" >"$work/log" 2>&1 </dev/null
}

# compare NAME DIR: the program that was built there
compare() {
    local name=$1 dir=$2 found
    all "$dir/lightpath" "$work/variant"
    same "$name" "$work/variant"
    rm -rf "$work/variant"
    found=$(fused "$dir")
    if [ -n "$found" ]; then
        echo "$found"
        echo "not ok determinism: $name: no fused multiply-add"
        failed=1
    fi
}

# variant COMPILER FLAGS...
variant() {
    local compiler=$1 name="$*" dir drawn
    shift
    dir=$work/$compiler$(tr -d " =" <<<"$*")
    if ! command -v "$compiler" >/dev/null; then
        echo "skip determinism: $name: $compiler is not installed"
        return
    fi
    shared
    if ! { [ -n "$drawn" ] && build "$dir" "$compiler" "$*" UI_OBJ="$drawn"; } &&
        ! build "$dir" "$compiler" "$*"; then
        tail -n 20 "$work/log"
        echo "not ok determinism: $name: the build"
        failed=1
        return
    fi
    compare "$name" "$dir"
    rm -rf "$dir"
}

# A build by clang that is at hand, of what the sources are now: make would compile nothing.
# Its records of flags are left out (-o): WERROR and the like change no result.
clang_build() {
    local dir=${LP_CLANG_BUILD:-build/clang} mode=release
    grep -qs -- ' -O0 -g ' "$dir/.flags" && mode=dev
    [ -x "$dir/lightpath" ] && [ "$reference" != "$root/$dir/lightpath" ] &&
        grep -qsE '^[^ ]*clang.* -ffp-contract=off .*-O[02] -g ' "$dir/.flags" &&
        make -q MODE=$mode CC=clang O="$dir" -o "$dir/.flags" -o "$dir/.places" -o "$dir/.objects" "$dir/lightpath" \
            >"$work/log" 2>&1 </dev/null && echo "$dir"
}

case ${LP_DETERMINISM:-} in
run) exit $failed ;;
esac
if clang=$(clang_build); then
    compare "clang, the program in $clang" "$clang"
elif [ "${LP_DETERMINISM:-}" != all ]; then
    echo "skip determinism: no build by clang is at hand (make MODE=dev CC=clang O=build/clang)"
fi
if [ "${LP_DETERMINISM:-}" = all ]; then
    for compiler in gcc clang; do
        variant $compiler -O0
        variant $compiler -O3
        variant $compiler -O3 -march=native
    done
fi
exit $failed

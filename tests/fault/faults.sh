# SPDX-License-Identifier: GPL-3.0-or-later
# To be sourced by test_fault.sh and test_fault_long.sh, which say what they are about: sets up, runs
# the cases of $cases and exits. Needs $LIGHTPATH, the program, and $FAULT_LIBRARY.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
library=${FAULT_LIBRARY:-$root/build/release/tests/fault/fault.so}
only=${1-}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
if [ ! -e "$library" ] || grep -qs -e __asan_init -e __tsan_init "$lightpath"; then
    echo "skip faults: a sanitizer has the allocator"
    exit 0
fi
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-fault.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cp "$library" "$tmp/fault.so" && mkdir "$tmp/in" || exit 1 # LD_PRELOAD takes no blanks: ./fault.so
export HOME=$tmp/home XDG_CONFIG_HOME=$tmp/home/config XDG_CACHE_HOME=$tmp/home/cache
export XDG_DATA_HOME=$tmp/home/data XDG_STATE_HOME=$tmp/run/tree/state OPENBLAS_NUM_THREADS=1 LD_BIND_NOW=1
export LC_ALL=C.UTF-8 TERM=dumb
failed=0
often=1 # a place of a run fails so often; empty: always
sample=16 # of the places of a site (its three innermost calls) the first fails, then one in so many
seed=${FAULT_SEED:-1}
case ${LP_FAULT:-} in
all) often= sample= ;;
places) sample= ;;
*) echo "# a sample of the places: FAULT_SEED=$seed (LP_FAULT=places: each place, LP_FAULT=all: each call)" ;;
esac

# places REPORT: addresses of the program as functions and lines
places() {
    local word rest
    while read -r word rest; do
        if [ "$word" = at ]; then
            for word in $rest; do
                case $word in
                +0x*) addr2line -fse "$lightpath" "${word#+}" 2>/dev/null | paste -sd' ' || echo "$word" ;;
                *) echo "$word" ;;
                esac
            done | head -n 14 | sed 's/^/      /'
        else
            echo "    $word $rest"
        fi
    done
}

# run_in DIR ENV... -- ARGS...: the program in a fresh folder that begins as `before`
run_in() {
    rm -rf run && mkdir run && cp -a before run/tree && cd run/tree || exit 1
    env "${@:1:env_words}" "$lightpath" "${@:env_words+1}" >../out 2>../err <"$tmp/in/stdin"
    status=$?
    cd "$tmp" || exit 1
}

# spent: processor time of all that ended since the last call, in ms, in $ms
spent() {
    local -a now
    local all=0 i
    times >"$tmp/times"
    read -r -d '' -a now <<<"$(tr 'ms' '  ' <"$tmp/times")"
    for i in 0 2 4 6; do all=$((all + now[i] * 60000 + 10#${now[i + 1]/./})); done
    ms=$((all - ${spent_before:-0})) spent_before=$all
}

# try NAME KINDS ARGS...: before/ is what its folder begins with. A place (the innermost calls) fails
# only the first time that a case of the script comes there, and of the places of a site a sample; with LP_FAULT=all (make nightly) each
# time, or with places=N in front each place (the calls up to main) its first N times; with starts=N only N calls do, each in
# a run from the beginning: for programs with threads. With inline=1 a new thread runs to its end
# where it is made: then what it does can fail in copies, too. modes=one or modes=rest: see README.
try() {
    local name=$1 kinds=$2 tried= wrong=0 left=0 same=0 alike=0
    shift 2
    case $name in *"$only"*) ;; *) return ;; esac
    env_words=0 run_in "$@"
    if [ $status -ne 0 ]; then
        sed 's/^/    /' run/err
        echo "not ok $name: exit $status without any failure"
        failed=1
        return
    fi
    rm -rf reference log && mv run reference && cp -a before reference/before || exit 1
    env_words=12 run_in LD_PRELOAD=../../fault.so FAULT_KINDS="$kinds" FAULT_PLACES="${places-$often}" FAULT_SEEN="${often:+$tmp/seen}" FAULT_SAMPLE="$sample" FAULT_SEED="$seed" \
        FAULT_STARTS="${starts-}" FAULT_INLINE="${inline-}" FAULT_MODES="${modes-one rest}" FAULT_LOG="$tmp/log" FAULT_REFERENCE="$tmp/reference" \
        FAULT_FOLDER="$tmp/run/tree" "$@"
    read -r tried same wrong left alike <<<"$(sed -n 's/^tried \([0-9]*\) same \([0-9]*\) bad \([0-9]*\) left \([0-9]*\) alike \([0-9]*\)$/\1 \2 \3 \4 \5/p' log)"
    [ -z "${FAULT_TIMES-}" ] || { spent && echo "# $ms ms for $name, $tried failures"; }
    if [ "${tried:--1}" -ge $((often == 0)) ] && [ "$wrong" -eq 0 ] && [ "$left" -eq 0 ] && [ $status -eq 0 ]; then
        echo "ok $name: $tried failures, $same without a trace"
    else
        echo "  exit $status, ${tried:-nothing} tried, ${wrong:-0} wrong, ${left:-0} left out"
        grep -av '^tried' log | head -n ${FAULT_SHOW:-20} | places
        echo "not ok $name"
        failed=1
    fi
    tried_all=$((${tried_all:-0} + ${tried:-0})) alike_all=$((${alike_all:-0} + ${alike:-0}))
}
# folder: what `before` holds, made by the commands of standard input
before() {
    rm -rf before && mkdir before && (cd before && cat >"$tmp/script" && . "$tmp/script") || exit 1
}

cd "$tmp" || exit 1
mkdir home run
: >in/stdin
two=$root/scenarios/two-servers.json
profile=$root/scenarios/graphs/two-ops.txt
every='memory write short sync thread open'
files='write short sync open'
before </dev/null
. "$root/tests/fault/$cases"
echo "# ${tried_all:-0} failures tried, ${alike_all:-0} of them with the copy before"
exit $failed

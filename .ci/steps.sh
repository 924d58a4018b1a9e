# SPDX-License-Identifier: GPL-3.0-or-later
# Steps of .ci/run and .ci/nightly, which read this file: each is a command whose sum line ("N passed,
# N failed, N skipped") is added up; one without such a line counts as one test. Every step runs even
# if an earlier one failed.
#
#   step NAME COMMAND...       runs it now
#   beside NAME COMMAND...     begins it; its output and its result come with `joined`
#   joined                     waits for what was begun
#   finish                     what failed, how long each step took, the sum; exits
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
export WERROR=1
unset MAKEFLAGS MFLAGS MODE O T

passed=0 failed=0 skipped=0 failures= times= began=$SECONDS
work=$(mktemp -d "${TMPDIR:-/tmp}/lightpath-ci.XXXXXX") || exit 1
begun=() pids=()
end_steps() {
    local pid
    for pid in "${pids[@]+"${pids[@]}"}"; do
        kill -- "-$pid" 2>/dev/null
    done
    rm -rf "$work"
}
trap end_steps EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# failures_of NAME LOG: what failed in a step, from its output: once more at the end, where it is found
failures_of() {
    grep -hE '^ *(\| *)?(failed: |not ok )|error: |\*\*\* ' "$2" | sed -E "s/^[ |]*/    $1: /" | sort -u | tail -n 20 || true
}

# count NAME STATUS SECONDS LOG: adds up a step that has ended
count() {
    local name=$1 status=$2 seconds=$3 log=$4 sum p f s verdict=ok
    sum=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1)
    [ -n "$sum" ] || sum="$((status == 0)) passed, $((status != 0)) failed, 0 skipped"
    read -r p _ f _ s _ <<<"$sum"
    # a command that fails without naming a failed test has failed all the same
    [ "$status" -eq 0 ] || [ "$f" -gt 0 ] || f=1
    [ "$f" -eq 0 ] || { verdict=FAILED && failures+="$(failures_of "$name" "$log")"$'\n'; }
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    times+=$(printf '  %5d s  %-10s %d passed, %d failed, %d skipped' "$seconds" "$name" "$p" "$f" "$s")$'\n'
    echo "== $name: $verdict in $seconds s"
}

step() {
    local name=$1 from=$SECONDS status
    shift
    echo "== $name: $*"
    "$@" </dev/null 2>&1 | tee "$work/log"
    status=${PIPESTATUS[0]}
    count "$name" "$status" $((SECONDS - from)) "$work/log"
}

beside() {
    local name=$1
    shift
    echo "== $name begins: $*"
    begun+=("$name")
    # a group of its own, so that nothing of it is left behind
    setsid bash -c 'from=$SECONDS; log=$1; shift; "$@"; echo "$? $((SECONDS - from))" >"$log.status"' \
        beside "$work/$name" nice "$@" </dev/null >"$work/$name" 2>&1 &
    pids+=($!)
}

joined() {
    local name status seconds
    wait "${pids[@]+"${pids[@]}"}"
    pids=()
    for name in "${begun[@]+"${begun[@]}"}"; do
        echo "== $name:"
        cat "$work/$name"
        read -r status seconds <"$work/$name.status" || { status=1 && seconds=0; }
        count "$name" "$status" "$seconds" "$work/$name"
    done
    begun=()
}

finish() {
    printf '%s' "$failures"
    echo "steps (those beside others take longer than alone):"
    printf '%s' "$times"
    printf '  %5d s  in all\n' $((SECONDS - began))
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit
}

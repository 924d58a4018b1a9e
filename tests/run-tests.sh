#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs tests, several at a time, in one fixed environment, and adds up what they report.
#
#   tests/run-tests.sh [--jobs N] [--timeout S] [--logs DIR] [--prefix DIR] [--rerun CMD] TEST...
#
# A TEST is a cmocka program or a script. Each single test is one line of its output:
#     ok [N -] NAME      not ok [N -] NAME      skip NAME: why      (cmocka: not ok N # SKIP NAME; ok N - NAME # SKIP)
# A crash, a timeout, an exit status without a failed test, a plan (1..N) that was not kept, and a
# program that reports no test at all each count as one failure. Logs are kept only on failure.
#
# What took longest the last time begins first, so that no core is idle at the end. The seconds of
# each test are kept in DIR/times (DIR: --prefix); times.txt beside this script has those of the
# dearest tests, for a folder where nothing has run yet. Results are told in the order they come; a
# terminal also shows how far it is. Before the failures come the ten slowest.
# The last line is "N passed, N failed, N skipped"; the exit status is 1 if anything failed.
set -u

jobs=$(($(nproc 2>/dev/null || echo 2) + 1)) # one more: who looks at a live program waits most of the time
timeout=300
logs=
prefix=
rerun=
while [ $# -gt 0 ]; do
    case $1 in
    --jobs) jobs=$2 ;;
    --timeout) timeout=$2 ;;
    --logs) logs=$2 ;;
    --prefix) prefix=$2 ;;
    --rerun) rerun=$2 ;;
    *) break ;;
    esac
    shift 2
done
tests=("$@")
if [ $# -eq 0 ]; then
    echo "no test has such a name"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi

# On a terminal the last line says how far it is: "[ 41/120 ] " and what is running.
progress= drawn=
if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then progress=yes; fi
clear_progress() {
    [ -z "$drawn" ] || printf '\r\033[K'
    drawn=
}
show_progress() {
    local line size width all=${#tests[@]} i name
    [ -n "$progress" ] || return 0
    { size=$(stty size <&3 2>/dev/null); } 3>&1
    width=${size#* }
    [ "${width:-0}" -gt 0 ] || width=80
    line=$(printf '[ %*d/%d ]' ${#all} "$shown" "$all")
    for i in "${!running[@]}"; do
        name=${tests[$i]##*/}
        line+=" ${name%.sh}"
    done
    printf '%s' "${line:0:$((width - 1))}"
    drawn=yes
}

work=$(mktemp -d "${TMPDIR:-/tmp}/lightpath-tests.XXXXXX") || exit 1
stop() {
    local pids
    trap '' HUP INT TERM
    clear_progress
    pids=$(jobs -p)
    [ -z "$pids" ] || kill $pids 2>/dev/null
    wait 2>/dev/null
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
[ -z "$logs" ] || rm -rf "$logs"

# longest_first: the tests of standard input in the order of the seconds that they last took. A test
# without a time is taken for one of a second: it is none of the dearest, or it is new.
longest_first() {
    {
        cat "$(dirname "$0")/times.txt" ${prefix:+"$prefix/times"} 2>/dev/null
        echo
        cat
    } | awk -v prefix="${prefix:+$prefix/}" '
        !listed && NF == 2 && $1 + 0 == $1 { seconds[$2] = $1 }
        listed {
            name = index($0, prefix) == 1 ? substr($0, length(prefix) + 1) : $0
            print (name in seconds ? seconds[name] : 1) "\t" $0
        }
        NF == 0 { listed = 1 }' | LC_ALL=C sort -s -k1,1nr | cut -f 2-
}
mapfile -t tests < <(printf '%s\n' "${tests[@]}" | longest_first)

# Where python3 is a script that looks for one (pyenv: a third of a second each time), the one that it finds.
# By a script, not by a link: so it still knows where its modules are.
if python=$(command -v python3) && [ "$(head -c 2 "$python" | tr -d '\0')" = '#!' ]; then
    mkdir "$work/bin"
    python=$("$python" -c 'import sys; print(sys.executable)' 2>/dev/null)
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"$work/bin/python3"
    chmod +x "$work/bin/python3"
    [ ! -x "$python" ] || PATH=$work/bin:$PATH
fi

# run_one INDEX TEST: the test in its own home, its output in log, its exit status in status.
run_one() {
    local dir=$work/$1 before=${!-} started socket
    # nothing of ours is left behind when we are stopped between two lines
    trap '[ "${!-}" != "$before" ] || exit 143; kill $! 2>/dev/null; wait' HUP INT TERM
    started=${EPOCHREALTIME//[!0-9]/} # microseconds
    mkdir -p "$dir/home" "$dir/tmp" "$dir/run"
    chmod 700 "$dir/run"
    env -u LINES -u COLUMNS -u NO_COLOR -u COLORTERM -u TMUX -u LUA_PATH -u LUA_PATH_5_4 \
        -u LUA_CPATH -u LUA_CPATH_5_4 -u LUA_INIT -u LUA_INIT_5_4 -u LANG -u LANGUAGE -u CDPATH \
        -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u ESCDELAY -u COLORFGBG -u SSH_CONNECTION -u SSH_TTY -u STY -u TERMINFO -u BASH_ENV \
        LC_ALL=C.UTF-8 TZ=UTC TERM=xterm-256color CMOCKA_MESSAGE_OUTPUT=TAP \
        HOME="$dir/home" TMPDIR="$dir/tmp" TMUX_TMPDIR="$dir/run" XDG_RUNTIME_DIR="$dir/run" \
        XDG_CONFIG_HOME="$dir/home/.config" XDG_DATA_HOME="$dir/home/.local/share" \
        XDG_STATE_HOME="$dir/home/.local/state" XDG_CACHE_HOME="$dir/home/.cache" \
        timeout --kill-after=10 "$timeout" "$2" </dev/null >"$dir/log" 2>&1 &
    wait $!
    echo $? $((${EPOCHREALTIME//[!0-9]/} - started)) >"$dir/status"
    for socket in "$dir"/run/tmux-*/*; do
        [ -S "$socket" ] && tmux -S "$socket" kill-server 2>/dev/null
    done
    mv "$dir/status" "$dir/done"
}

# count LOG STATUS: "PASSED FAILED SKIPPED REASON", where REASON says what no test line says.
count() {
    awk -v status="$2" -v limit="$timeout" '
        /^(not )?ok [0-9]+ (- .* )?# SKIP/ || /^skip / { skipped++; next }
        /^1\.\.[0-9]+$/ { planned += substr($0, 4); next }
        planned && !/^(not )?ok [0-9]+ /  { next }
        /^ok /      { passed++ }
        /^not ok /  { failed++ }
        END {
            told = passed + failed + skipped
            if (status == 124 || status == 137) why = "timed out after " limit " s"
            else if (status > 128)              why = "killed by signal " (status - 128)
            else if (status && !failed)         why = "exit status " status
            else if (told < planned && !failed) why = "reported " told " of " planned " tests"
            else if (!told)                     why = "reported no test"
            print passed + 0, failed + (why != ""), skipped + 0, why
        }' "$1"
}

# reasons LOG WHY: why a test failed, in one line
reasons() {
    { sed -n 's/^not ok \([0-9]* - \)\{0,1\}//p' "$1" | grep -v '# SKIP'; echo "$2"; } |
        grep . | head -n 5 | cut -c 1-200 | paste -s -d ';' | sed 's/;/; /g'
}

passed=0 failed=0 skipped=0 failures=()
# report INDEX TEST: one line per test, the log only where something failed.
report() {
    local log=$work/$1/log name=$2 status took p f s why line
    [ -z "$prefix" ] || name=${name#"$prefix"/}
    # without a word of its runner it has failed
    read -r status took 2>/dev/null <"$work/$1/done" || status=1 took=0
    printf '%d.%d %s\n' $((took / 1000000)) $((took / 100000 % 10)) "$name" >>"$work/times"
    read -r p f s why <<<"$(count "$log" "$status")"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    line=$(printf '  TEST    %-40s %3d ok' "$name" "$p")
    [ "$f" -eq 0 ] || line+=", $f FAILED"
    [ "$s" -eq 0 ] || line+=", $s skipped"
    echo "$line${why:+ ($why)}"
    grep -E '^skip |^(not )?ok [0-9]+ (- .* )?# SKIP' "$log" |
        sed -E 's/^((not )?ok [0-9]+ # SKIP|skip) |^ok [0-9]+ - (.*) # SKIP.*/          skip: \3/'
    if [ "$f" -gt 0 ]; then
        failures+=("failed: $name: $(reasons "$log" "$why")")
        sed 's/^/    | /' "$log" | head -c 60000
        echo "    rerun: ${rerun:-$0 }$name"
        if [ -n "$logs" ]; then
            mkdir -p "$logs/$(dirname "$name")" && cp "$log" "$logs/$name.log"
            echo "    log:   $logs/$name.log"
        fi
    fi
    rm -rf "${work:?}/$1"
}

next=0 shown=0
running=() # index of a test -> process that runs it
while [ $shown -lt ${#tests[@]} ]; do
    while [ ${#running[@]} -lt "$jobs" ] && [ $next -lt ${#tests[@]} ]; do
        run_one $next "${tests[$next]}" &
        running[$next]=$!
        next=$((next + 1))
    done
    show_progress
    wait -n
    clear_progress
    for i in "${!running[@]}"; do
        if [ -e "$work/$i/done" ] || ! kill -0 "${running[$i]}" 2>/dev/null; then
            report "$i" "${tests[$i]}"
            unset "running[$i]"
            shown=$((shown + 1))
        fi
    done
done

# the times of this run, and of the last one those of tests that did not run
if [ -n "$prefix" ] && [ -d "$prefix" ]; then
    touch "$prefix/times"
    awk 'NF == 2 && !seen[$2]++' "$work/times" "$prefix/times" >"$work/all" && mv "$work/all" "$prefix/times"
fi
if [ ${#tests[@]} -gt 1 ]; then
    echo "slowest:"
    LC_ALL=C sort -s -k1,1nr "$work/times" | head -n 10 | awk '{ printf "  %7.1f s  %s\n", $1, $2 }'
fi

# once more at the end, where a reader of the last lines finds it
[ "$failed" -eq 0 ] || printf '%s\n' "${failures[@]}"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]

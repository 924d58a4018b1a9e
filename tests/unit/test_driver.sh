#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The test driver itself: what it counts, in which order and environment, and what it says of failures.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-driver.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  /' output
        echo "not ok $2"
        failed=1
    fi
}

# test_script NAME: stdin becomes an executable script
test_script() { { echo '#!/bin/sh'; cat; } >"$1" && chmod +x "$1"; }
drive() { "$root/tests/run-tests.sh" --timeout 20 "$@" >output 2>&1; }
# sums NAME STATUS LAST-LINE TEST...: runs the tests, compares exit status and last line
sums() {
    local name=$1 want=$2 line=$3
    shift 3
    drive "$@"
    [ $? -eq "$want" ] && [ "$(tail -n 1 output)" = "$line" ]
    result $? "$name"
}

test_script good <<'T'
echo ok one; echo "ok 2 - two"; echo "skip three: no reason"; echo "okay this is prose"
T
test_script bad <<'T'
echo ok one; echo not ok two; echo "what went wrong"; exit 1
T
test_script tap <<'T'
printf '1..3\nok 1 - a\nok prose of the program under test\nnot ok 2 # SKIP b\n# not ok - group\nok 3 - c\n'
T
test_script tap14 <<'T'
printf 'TAP version 14\n1..3\nok 1 - a\nok 2 - b # SKIP\nok 3 - c\n'
T
test_script plan <<'T'
printf '1..3\nok 1 - a\n'
T
test_script silent <<<'echo hello'
test_script status <<<'echo ok one; exit 3'
test_script crash <<<'echo ok one; kill -SEGV $$'
test_script slow <<<'echo ok one; sleep 60'
test_script late <<<'until grep -q " ./early " output; do sleep 0.1; done; echo ok late'
test_script early <<<'echo ok early'
test_script surroundings <<'T'
check() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2"; fi; }
check locale "$LC_ALL" C.UTF-8
check zone "$TZ" UTC
check terminal "$TERM" xterm-256color
check size "${LINES-none}${COLUMNS-none}" nonenone
check colour "${NO_COLOR-none}" none
check stdin "$(cat)" ""
case $HOME$XDG_CONFIG_HOME$TMPDIR in *"$OUTSIDE"*) echo not ok home ;; *) echo ok home ;; esac
T

sums "passed and skipped tests are counted" 0 "2 passed, 0 failed, 1 skipped" ./good
grep -q 'skip: three: no reason' output
result $? "the reason of a skip is shown"
sums "a failed test fails the run" 1 "3 passed, 1 failed, 1 skipped" ./good ./bad
grep -q 'what went wrong' output && grep -q 'rerun: .*bad$' output && ! grep -q 'okay this is prose' output
result $? "a failure shows its log and how to rerun it, a success does not"
sums "cmocka's lines are counted, other output is not" 0 "2 passed, 0 failed, 1 skipped" ./tap
sums "so are those of cmocka 2" 0 "2 passed, 0 failed, 1 skipped" ./tap14
grep -qx ' *skip: b' output
result $? "... with the name of what is skipped"
sums "an unkept plan is a failure" 1 "1 passed, 1 failed, 0 skipped" ./plan
sums "a program without tests is a failure" 1 "0 passed, 1 failed, 0 skipped" ./silent
sums "an exit status without a failed test is a failure" 1 "1 passed, 1 failed, 0 skipped" ./status
sums "a crash is a failure" 1 "1 passed, 1 failed, 0 skipped" ./crash
sums "a test that does not end is a failure" 1 "1 passed, 1 failed, 0 skipped" --timeout 1 ./slow
sums "a missing program is a failure" 1 "0 passed, 1 failed, 0 skipped" ./none
sums "no test at all is a failure" 1 "0 passed, 1 failed, 0 skipped"
drive --jobs 2 ./late ./early
# in_order NAMES: the tests that the output tells of
in_order() { [ "$(sed -n 's/^  TEST *\([^ ]*\).*/\1/p' output | tr '\n' ' ')" = "$1 " ]; }
in_order "./early ./late"
result $? "tests run side by side and are reported as they end"

# times: what took long begins first, by what the last run says, or else by the list beside the driver
mkdir -p folder/b driver && cp "$root/tests/run-tests.sh" driver
test_script folder/b/short <<<'echo ok short'
test_script folder/b/long <<<'sleep 0.4; echo ok long'
test_script folder/b/new <<<'echo ok new'
printf '# seconds, test\n50.5 b/long\n0.5 b/short\n' >driver/times.txt
drive_here() { driver/run-tests.sh --jobs 1 --prefix folder "$@" >output 2>&1; }
drive_here folder/b/short folder/b/long folder/b/new
in_order "b/long b/new b/short"
result $? "the dearest tests begin first where nothing has run yet"
[ "$(cut -d ' ' -f 2 folder/times | sort | tr '\n' ' ')" = "b/long b/new b/short " ] &&
    awk '$2 == "b/long" { long = $1 >= 0.4 && $1 < 30 } END { exit !long }' folder/times
result $? "the seconds of each test are kept"
printf '7 b/short\n8 b/new\n6 b/long\n' >folder/times
drive_here folder/b/long folder/b/short folder/b/new
in_order "b/new b/short b/long"
result $? "the last run says which test takes longest"
printf '7 b/short\n8 b/new\n' >folder/times
drive_here folder/b/short folder/b/long
grep -qx '8 b/new' folder/times && [ "$(wc -l <folder/times)" = 3 ] && in_order "b/long b/short"
result $? "the seconds of a test that did not run stay"

test_script quick <<<'echo ok quick'
test_script slower <<<'sleep 2; echo ok slower'
drive ./quick{,,,,,,,,} ./slower ./bad
[ "$(sed -n '/^slowest:$/,/^failed: /p' output | grep -cE '^ +[0-9]+\.[0-9] s  \./')" = 10 ] &&
    sed -n '/^slowest:$/{n;p;}' output | grep -q ' s  \./slower$' &&
    [ "$(tail -n 2 output)" = "failed: ./bad: two
11 passed, 1 failed, 0 skipped" ]
result $? "the ten slowest are told, then the failures and the sum"

# a program of several tests (tests/main.c): each is a process of its own
cat >groups.c <<'C'
#include <signal.h>
#include <stdio.h>
int test_fine(void), test_crash(void);
int test_fine(void) { puts("ok fine"); return 0; }
int test_crash(void) { puts("ok begun"); fflush(stdout); return raise(SIGSEGV); }
C
if ${CC:-gcc} -D'GROUPS=GROUP(test_fine) GROUP(test_crash)' "$root/tests/main.c" groups.c -o program 2>output; then
    ln -s program test_fine && ln -s program test_crash && ln -s program test_other
    sums "a crash in a program of several tests fails the one that crashed" 1 "2 passed, 1 failed, 0 skipped" \
        ./test_fine ./test_crash
    sums "a test that its program does not have is a failure" 1 "0 passed, 1 failed, 0 skipped" ./test_other
    grep -q 'test_fine' output
    result $? "... and it says which it has"
    [ "$(./program test_fine)" = "ok fine" ]
    result $? "a test may be named by the first argument"
else
    false
    result $? "a program of several tests is built"
fi

# a terminal sees how far it is
if command -v script >/dev/null; then
    test_script seen <<<'until grep -qF "1/2 ]" "$OUTSIDE/output"; do sleep 0.1; done; echo ok seen'
    terminal() { # terminal COLUMNS TERM TEST...
        OUTSIDE=$tmp TERM=$2 script -qefc "stty cols $1; '$root/tests/run-tests.sh' --timeout 20 --jobs 2 $3 $4" /dev/null \
            >output </dev/null
    }
    drawn=$(printf '\r\033[K')
    terminal 60 xterm ./seen ./early
    grep -qF "[ 0/2 ] seen early$drawn" output && grep -qF "[ 1/2 ] seen$drawn" output &&
        [ "$(tail -n 1 output | tr -d '\r')" = "2 passed, 0 failed, 0 skipped" ]
    result $? "a terminal shows how far it is, in one line"
    terminal 13 xterm ./good ./early
    grep -qF "[ 0/2 ] good$drawn" output
    result $? "... cut to the width of the terminal"
    terminal 60 dumb ./good ./early
    ! grep -qF '[ 0/2 ]' output && grep -q '^3 passed, ' output
    result $? "... not on one that cannot rewrite a line"
else
    echo "skip a terminal shows how far it is: no script(1)"
fi
drive ./good ./early
! grep -qF '[ ' output && ! grep -q "$(printf '\033')" output
result $? "a file gets a line for each test and nothing else"

# stopped: no process and no folder is left
test_script stuck <<'T'
trap '' INT
echo $$ >"$OUTSIDE/pid"
mktemp -d >"$OUTSIDE/folder"
sleep 60 &
wait
T
mkdir temporary outside
export OUTSIDE=$tmp/outside
stopped() { # stopped SIGNAL STATUS: the driver stopped as the keyboard or a supervisor does it
    rm -f outside/*
    SIGNAL=$1 TMPDIR=$tmp/temporary bash -c '
        set -m
        "$1" --jobs 2 ./stuck ./slow >output 2>&1 &
        until [ -s "$OUTSIDE/folder" ]; do sleep 0.1; done
        kill -$SIGNAL -- -$!
        wait $!' stopped "$root/tests/run-tests.sh" 2>/dev/null
    [ $? -eq "$2" ] && [ -z "$(ls temporary)" ] && ! kill -0 "$(cat outside/pid)" 2>/dev/null
}
stopped INT 130
result $? "Ctrl-C leaves no process and no folder"
stopped TERM 143
result $? "nor does being told to end"
unset OUTSIDE
LINES=3 COLUMNS=9 NO_COLOR=1 TZ=Asia/Tokyo HOME=/outside XDG_CONFIG_HOME=/outside OUTSIDE=/outside \
    drive ./surroundings
[ "$(tail -n 1 output)" = "7 passed, 0 failed, 0 skipped" ]
result $? "every test sees the same environment"
drive --logs logs ./bad ./good
[ -e logs/bad.log ] && [ ! -e logs/good.log ]
result $? "logs are kept only on failure"

# a python3 that is a script and looks for the real one, as pyenv has it
mkdir shims
printf '#!/bin/sh\necho asked >>"%s"\nexec "%s" "$@"\n' "$tmp/asked" "$(command -v python3 || command -v true)" >shims/python3
chmod +x shims/python3
test_script pythons <<'T'
python3 -c '' && python3 -c '' && echo ok pythons
T
if command -v python3 >/dev/null; then
    PATH=$tmp/shims:$PATH sums "python3 is looked for once" 0 "1 passed, 0 failed, 0 skipped" ./pythons
    [ "$(wc -l <asked)" -eq 1 ]
    result $? "... and no more for each call"
else
    echo "skip python3 is looked for once: there is no python3"
fi

exit $failed

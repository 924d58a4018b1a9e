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
test_script late <<<'while [ ! -e go ]; do sleep 0.02; done; echo ok late'
test_script early <<<'echo ok early; : >go'
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
[ "$(sed -n 's/^  TEST *\([^ ]*\).*/\1/p' output | tr '\n' ' ')" = "./late ./early " ]
result $? "tests run side by side and are reported in order"
LINES=3 COLUMNS=9 NO_COLOR=1 TZ=Asia/Tokyo HOME=/outside XDG_CONFIG_HOME=/outside OUTSIDE=/outside \
    drive ./surroundings
[ "$(tail -n 1 output)" = "7 passed, 0 failed, 0 skipped" ]
result $? "every test sees the same environment"
drive --logs logs ./bad ./good
[ -e logs/bad.log ] && [ ! -e logs/good.log ]
result $? "logs are kept only on failure"

exit $failed

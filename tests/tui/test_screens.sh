#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Screens as text: each screens/NAME.keys is played at the sizes that it names, and the last screen
# compared with golden/NAME-SIZE.txt.
#
#   tests/tui/test_screens.sh [NAME...]      UPDATE=1 writes the golden screens instead
#
# A script's first lines may say
#     # sizes: 80x24 100x30              default 80x24
#     # scenario: scenarios/x.json       default scenarios/pac-ml-32.json
#     # policy: meets_deadline.lua       default the scenario's
#     # options: --ascii
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
if [ ! -x "$program" ]; then
    echo "skip screens: there is no program $program"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/screens.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# said FILE WORD DEFAULT: what a script says in its head
said() {
    local value
    value=$(sed -n "s/^# $2: *//p" "$1" | head -n 1)
    echo "${value:-$3}"
}

# check NAME SIZE: plays the script, compares the screen
check() {
    local keys=tests/tui/screens/$1.keys golden=tests/tui/golden/$1-$2.txt out=$work/$1-$2.txt
    local scenario policy options
    scenario=$(said "$keys" scenario scenarios/pac-ml-32.json)
    policy=$(said "$keys" policy '')
    options=$(said "$keys" options '')
    # shellcheck disable=SC2086  # options are words
    if ! "$program" "$scenario" ${policy:+--policy "$policy"} $options --keys "$keys" --size "$2" \
        --save-screen "$out" >"$work/log" 2>&1; then
        cat "$work/log"
        echo "not ok screen $1 $2"
        failed=1
    elif [ "${UPDATE:-0}" = 1 ]; then
        cp "$out" "$golden"
        echo "ok screen $1 $2 (written)"
    elif diff -u "$golden" "$out"; then
        echo "ok screen $1 $2"
    else
        echo "not ok screen $1 $2"
        failed=1
    fi
}

# within FILE: has as many rows as its name says, and none has more columns
within() {
    local size=${1##*-} rows=0 line
    size=${size%.txt}
    while IFS= read -r line; do
        rows=$((rows + 1))
        [ ${#line} -le "${size%x*}" ] || { echo "$1:$rows has ${#line} columns" && return 1; }
    done <"$1"
    [ "$rows" -eq "${size#*x}" ] || { echo "$1 has $rows rows" && return 1; }
}

names=${*:-$(cd tests/tui/screens && ls ./*.keys | sed -E 's|^\./(.*)\.keys$|\1|')}
for name in $names; do
    for size in $(said "tests/tui/screens/$name.keys" sizes 80x24); do
        check "$name" "$size"
    done
done
export LC_ALL=C.UTF-8
for golden in tests/tui/golden/*.txt; do
    within "$golden" || { echo "not ok screens have their size" && exit 1; }
done
echo "ok screens have their size"
exit $failed

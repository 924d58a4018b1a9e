#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What `make docs` writes from the program's tables is what is in the tree.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
if [ ! -x "$program" ]; then
    echo "skip made: there is no program $program"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/made.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# same NAME FILE MADE
same() {
    if diff -u "$2" "$3" >"$work/diff"; then
        echo "ok made: $1"
    else
        head -n 20 "$work/diff"
        echo "$2 is not what \`make docs\` writes"
        echo "not ok made: $1"
        failed=1
    fi
}

# page NAME PAGE COMMAND...: the lists of a manual page
page() {
    local name=$1 page=$2
    shift 2
    "$program" "$@" >"$work/rows" && awk -f docs/rows.awk "$work/rows" "$page" >"$work/page"
    same "$name" "$page" "$work/page"
}
page "the keys" docs/lightpath-keys.5 keys --man

exit $failed

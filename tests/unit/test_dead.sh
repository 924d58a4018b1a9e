#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The search for dead functions itself: a small program without any passes, planted ones are named.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cc=${LAYERS_CC:-gcc}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test dead.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

result() { # result WHETHER NAME OUTPUT
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  /' <<<"$3"
        echo "not ok $2"
        failed=1
    fi
}

mkdir -p "$tmp/engine/base" "$tmp/ui" "$tmp/build/engine/base" "$tmp/build/ui" && cd "$tmp" || exit 1
cat >ui/main.c <<'C'
int lp_direct(void), lp_by_table(void);
static int (*const table[])(void) = {lp_by_table};
int main(int argc, char **argv) { (void)argv; return lp_direct() + table[argc - 1](); }
C
base='int lp_direct(void) { return 0; }
int lp_by_table(void) { return 0; }'

# check ALLOWED SOURCE: says what the search says of the program with this source
check() {
    printf '%s\n' "$2" >engine/base/base.c
    for file in engine/base/base ui/main; do
        $cc -std=c11 -O1 -ffunction-sections -c $file.c -o build/$file.o || return 1
    done
    LAYERS_O=build LAYERS_MODE=release LAYERS_NM=nm DEAD_ALLOWED=$1 "$root/tests/dead.sh"
}

# expect NAME STATUS TEXT ALLOWED SOURCE
expect() {
    out=$(check "$4" "$5" 2>&1)
    [ $? -eq "$2" ] && grep -qF -- "$3" <<<"$out"
    result $? "$1" "$out"
}

dead='
int lp_dead(void) { return 1; }'
expect "nothing dead" 0 "ok dead" "" "$base"
expect "a function that nothing calls" 1 "engine/base/base.c: lp_dead is called by nothing" "" "$base$dead"
expect "what only dead functions call" 1 "lp_dead is called by nothing" "" "$base$dead
int lp_deader(void) { return lp_dead(); }"
expect "listed" 0 "ok dead" "lp_dead" "$base$dead"
expect "listed, and called" 1 "lp_direct is listed, and ui/main.c calls it" "lp_direct" "$base"
expect "listed, and gone" 1 "lp_gone is listed, and there is no such function" "lp_gone" "$base"
rm -f build/ui/main.o
out=$(LAYERS_O=build LAYERS_MODE=release "$root/tests/dead.sh" 2>&1)
[ $? -eq 1 ] && grep -q "cannot be joined" <<<"$out"
result $? "a missing object" "$out"
exit $failed

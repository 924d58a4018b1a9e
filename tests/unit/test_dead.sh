#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The search for dead functions itself: a small program without any passes, planted ones are named,
# and what is reached in a roundabout way is not.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
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

mkdir -p "$tmp/engine/base" "$tmp/ui" && cd "$tmp" || exit 1
cat >ui/main.c <<'C'
#include "base/base.h"

static int (*const table[])(void) = {lp_by_table};

static int take(int a) {
    return a;
}

int main(int argc, char **argv) {
    (void)argv;
    return lp_direct() + table[take(argc) - 1]();
}
C
base='int lp_direct(void) {
    return 0;
}

int lp_by_table(void) {
    return 0;
}
'
# function NAME TEXT: one more, of the form that clang-format gives it
function_() { printf '\nint %s(void) {\n    %s\n}\n' "$1" "$2"; }

# check ALLOWED SOURCE [HEADER]: says what the search says of the program with these
check() {
    printf '%s\n' "$2" >engine/base/base.c
    printf '%s\n' "${3:-}" >engine/base/base.h
    DEAD_ALLOWED=$1 "$root/tests/dead.sh"
}

# dead NAME TEXT SOURCE [HEADER]: the search fails, and TEXT is all that it finds
dead() {
    local out wanted
    out=$(check "" "$base$3" "${4:-}" 2>&1)
    wanted=$(for name in $2; do echo "engine/base/base.${5:-c}: $name is called by nothing in the program: delete it"; done; echo "not ok dead")
    [ "$out" = "$wanted" ]
    result $? "$1" "$out"
}

# live NAME SOURCE [HEADER]: the search finds nothing
live() {
    local out
    out=$(check "" "$base$2" "${3:-}" 2>&1) && [ "$out" = "ok dead" ]
    result $? "$1" "$out"
}

# listed NAME STATUS TEXT ALLOWED SOURCE: with a list
listed() {
    local out
    out=$(check "$4" "$5" 2>&1)
    [ $? -eq "$2" ] && grep -qxF -- "$3" <<<"$out"
    result $? "$1" "$out"
}

one=$(function_ lp_dead 'return 1;')
live "nothing dead" ""
dead "a function that nothing calls" lp_dead "$one"
dead "what only dead functions call" "lp_dead lp_deader" "$one$(function_ lp_deader 'return lp_dead();')"
dead "a function that only itself calls" lp_self "$(function_ lp_self 'return lp_self();')"
dead "two that call each other" "lp_ping lp_pong" "$(function_ lp_ping 'return lp_pong();')$(function_ lp_pong 'return lp_ping();')"
dead "one named in a comment" lp_dead "$one$(function_ lp_other 'return 0; /* lp_dead() is */ // lp_dead()')
/* of more lines:
static int (*const its)(void) = lp_dead; it'\''s
lp_dead */
static int (*const by)(void) = lp_other;
C_UNIT(by)"
dead "one named in a string" lp_dead "$one
static const char *const words[] = {\"lp_dead\", \"\\\"lp_dead\"};
C_UNIT(words, '\"')"
dead "one in a table that nobody reads" lp_dead "$one
static int (*const unread[])(void) = {lp_dead};"
dead "one in a table of structs that nobody reads" lp_dead "$one
static const struct {
    int (*run)(void);
} unread[] = {
    {lp_dead},
};"
dead "one in a macro that nobody uses" lp_dead "$one
#define UNUSED() \\
    lp_dead()"
dead "one after a macro that ends with a string" lp_dead "
#define WORDS \\
    \"one \" \\
    \"two\"
$one"
dead "a static one" idle "
static int idle(int a,
                int b) {
    return a + b;
}"
dead "a static inline one of a header" lp_idle "" "static inline int lp_idle(void) {
    return 0;
}" h
dead "one with the name of a member" lp_dead "$one
static const struct Row row = {.lp_dead = 1};
static int (*const by)(const struct Row *row) = take;
static int take(const struct Row *row) {
    return row->lp_dead + row[0].lp_dead;
}
C_UNIT(by, row)"
dead "one that is declared" lp_dead "$one" "int lp_dead(void);"
dead "one that only checked builds call" lp_dead "$one
#if defined(LP_CHECKED)
C_UNIT(lp_dead)
#elif defined(__linux__)
#else
#endif
#ifndef LP_CHECKED
#else
#if __STDC__
C_UNIT(lp_dead)
#endif
#endif"
dead "a static one with the name of a live one elsewhere" take "
static int take(void) {
    return 0;
}"

live "through a table of another file" "$(function_ lp_far 'return 1;')
int (*const lp_rows[])(void) = {
    lp_far,
};
$(function_ lp_by_rows 'return lp_rows[0]();')
C_UNIT(lp_by_rows)"
live "through a macro of a header" "$(function_ lp_far 'return 1;')
C_UNIT(LP_FAR())" "#define LP_FAR() \\
    lp_far()"
live "through a macro of a header that names what each file has" "
static int own(void) {
    return 1;
}
C_UNIT(LP_OWN)" "#define LP_OWN own"
live "through a static inline function of a header" "$(function_ lp_far 'return 1;')
C_UNIT(lp_near)" "static inline int lp_near(void) {
    return lp_far();
}"
live "through a name put together" "$(function_ lp_row_one 'return 1;')
#define ROW(name) lp_row_##name,
static int (*const rows[])(void) = {ROW(one)};
C_UNIT(rows)"
live "through a name put together at its end" "$(function_ lp_one_row 'return 1;')
#define ROW(name) lp_##name##_row,
static int (*const rows[])(void) = {ROW(one)};
C_UNIT(rows)"
live "after a quote, a brace and a slash that are characters" "$(function_ lp_far 'return 1;')$(function_ lp_marks "return '\"' + '{' + '\\\\'' + '/' + \"//{\"[0] + lp_far();")
C_UNIT(lp_marks)"
live "in each branch of an #if" "$(function_ lp_far 'return 1;')$(function_ lp_farther 'return 1;')
#if defined(__linux__)
C_UNIT(lp_far)
#else
C_UNIT(lp_farther)
#endif"
live "where builds are not checked" "$(function_ lp_far 'return 1;')$(function_ lp_farther 'return 1;')
#ifdef LP_CHECKED
#else
C_UNIT(lp_far)
#endif
#if !defined(LP_CHECKED)
C_UNIT(lp_farther)
#endif"
live "in a function that a macro makes" "$(function_ lp_far 'return 1;')
ROW(now) {
    lp_far();
}"

listed "listed" 0 "ok dead" "lp_dead" "$base$one"
listed "listed, and what it calls is static" 0 "ok dead" "lp_dead" "$base
static int helper(void) {
    return 0;
}
$(function_ lp_dead 'return helper();')"
listed "listed, and what it calls is not" 1 \
    "engine/base/base.c: lp_dead is called by nothing in the program: delete it" "lp_top" \
    "$base$one$(function_ lp_top 'return lp_dead();')"
listed "listed, and called" 1 "tests/dead.sh: lp_direct is listed, and ui/main.c calls it" "lp_direct" "$base"
listed "listed, and gone" 1 "tests/dead.sh: lp_gone is listed, and there is no such function" "lp_gone" "$base"
mkdir bin && printf '#!/bin/sh\nexit 2\n' >bin/awk && chmod +x bin/awk
out=$(PATH=$PWD/bin:$PATH check "" "$base" 2>&1)
[ $? -eq 1 ] && grep -q "awk could not read the sources" <<<"$out"
result $? "an awk that breaks off" "$out"
rm ui/main.c
listed "no main" 1 "no function main was found" "lp_direct lp_by_table" "$base"
rm -r ui
out=$("$root/tests/dead.sh" 2>&1)
[ $? -eq 1 ] && grep -q "no function main was found" <<<"$out"
result $? "no sources of the program" "$out"
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `make install` with PREFIX and DESTDIR puts a program there that works from any folder, with the
# data that were installed beside it; `make uninstall` leaves nothing but what others put there.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
case ${MODE:-release} in
release) ;;
*)
    echo "skip install: it is the same with MODE=$MODE"
    exit 0
    ;;
esac
work=$(mktemp -d "${TMPDIR:-/tmp}/install.XXXXXX") || exit 1
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
failed=0
unset LIGHTPATH_DATA

# check NAME COMMAND...: a test that passes if the command does; its output is shown if not
check() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1 </dev/null; then
        echo "ok install: $name"
    else
        tail -n 20 "$work/log"
        echo "not ok install: $name"
        failed=1
    fi
}

# The sources cannot be written to, neither by a user nor by a root who is held to what files allow.
sources="$work/the sources"
mkdir "$sources" && cp -a Makefile .ci engine ui scripts scenarios themes docs "$sources" && chmod -R a-w "$sources"
held() {
    local not=-dac_override,-dac_read_search
    if [ "$(id -u)" -eq 0 ] && setpriv --bounding-set=$not --inh-caps=$not true 2>/dev/null; then
        setpriv --bounding-set=$not --inh-caps=$not "$@"
    else
        "$@"
    fi
}
tells_of_o() {
    held make -C "$sources" all && return 1
    held make -C "$sources" all 2>&1 | grep -q 'cannot be written: O=DIR puts everything that is built into DIR'
}
if held test -w "$sources"; then
    echo "skip install: read-only sources: this root writes whatever files allow"
else
    check "read-only sources: make says what O= is for" tells_of_o
fi
blank() { ! make O='a b' all && make O='a b' all 2>&1 | grep -q 'a folder with blanks in its name'; }
check "O= with a blank is refused" blank

# Another PREFIX is another program. One object knows it, so the others are taken from the build of
# the program under test; where that was made with other flags, make finds out and builds them.
built=$(dirname "${LIGHTPATH:-build/release/lightpath}")
if [ -r "$built/.flags" ]; then
    mkdir "$work/build" && cp -a "$built/engine" "$built/ui" "$built/.flags" "$work/build"
fi
dest="$work/the image"
make_() {
    held make -C "$sources" -j"$(nproc 2>/dev/null || echo 2)" MODE=release O="$work/build" \
        PREFIX=/usr BINDIR=/usr/bin DATADIR=/usr/share/lightpath \
        MANDIR=/usr/share/man DESTDIR="$dest" "$@"
}
check "make install" make_ install
[ $failed -eq 0 ] || exit 1

program=$dest/usr/bin/lightpath
data=$dest/usr/share/lightpath

# Every file of the data folders and every manual page is there, unchanged; and nothing else.
expected() {
    echo usr/bin/lightpath
    echo usr/share/bash-completion/completions/lightpath
    echo usr/share/zsh/site-functions/_lightpath
    echo usr/share/fish/vendor_completions.d/lightpath.fish
    find scripts scenarios themes -type f ! -name '.*' ! -path '*/__pycache__/*' ! -path 'scripts/gdb/*' | sed 's|^|usr/share/lightpath/|'
    for page in docs/*.[157]; do
        [ ! -e "$page" ] || echo "usr/share/man/man${page##*.}/$(basename "$page")"
    done
}
all_there() {
    diff <(expected | sort) <(cd "$dest" && find . ! -type d | sed 's|^\./||' | sort) || return 1
    for folder in scripts scenarios themes; do
        diff -r -x __pycache__ -x gdb "$folder" "$data/$folder" || return 1
    done
}
check "all data and manual pages, and nothing else" all_there

same_version() {
    [ "$("$program" --version | head -n 1 | grep -oE '[0-9]+\.[0-9]+\.[0-9]+')" = \
        "$(sed -nE 's/^VERSION *:= *//p' Makefile)" ]
}
check "the program tells its version" same_version

# The program knows where it was built, too; so that this proves something, the installed data hold
# a scenario and a policy that are nowhere else.
mkdir "$work/elsewhere"
sed 's/"meets_deadline.lua"/"only_here.lua"/' scenarios/pac-ml-32.json >"$data/scenarios/only-here.json"
cp scripts/max_parallelism.lua "$data/scripts/only_here.lua"
cd "$work/elsewhere" || exit 1

hash_of() {
    "$program" run "$@" --hash
}
finds_its_data() {
    local here there
    there=$(hash_of only-here) && [ ${#there} -eq 16 ] || return 1
    here=$(hash_of "$root/scenarios/pac-ml-32.json" --policy "$root/scripts/max_parallelism.lua")
    [ "$here" = "$there" ]
}
check "a scenario and its policy by their bare names, from another folder" finds_its_data
check "a policy by its bare name" hash_of only-here --policy only_here
graph_beside_scenario() {
    [ "$(hash_of two-servers)" = "$(hash_of "$root/scenarios/two-servers.json")" ]
}
check "a scenario with a graph beside it" graph_beside_scenario
check "check" "$program" check "$data/scenarios/pac-ml-32.json"

explorer() {
    "$program" only-here --size 80x24 --save-screen screen.txt && [ "$(wc -l <screen.txt)" -eq 24 ] &&
        grep -q "max.parallelism" screen.txt
}
check "the explorer without a terminal" explorer

unknown_name() {
    local status
    "$program" run no-such-scenario >out 2>messages
    status=$?
    cat messages
    [ $status -eq 2 ] && [ ! -s out ] && [ "$(wc -l <messages)" -ge 1 ]
}
check "an unknown name is refused with exit status 2" unknown_name

# --- the library ---
cd "$root" || exit 1
with_library() {
    make_ lib && make_ install && [ -s "$dest/usr/lib/liblightpath.so.1" ] && [ -L "$dest/usr/lib/liblightpath.so" ] &&
        cmp engine/lib/lightpath.h "$dest/usr/include/lightpath.h" &&
        grep -qx 'Libs: -L/usr/lib -llightpath' "$dest/usr/lib/pkgconfig/lightpath.pc"
}
check "after make lib the library, its header and a file for pkg-config" with_library

# --- uninstall ---------------------------------------------------------------------------------------------
cd "$root" || exit 1
only_mine_left() {
    make_ uninstall || return 1
    diff <(printf '%s\n' ./usr/share/lightpath/scenarios/only-here.json \
        ./usr/share/lightpath/scripts/only_here.lua) <(cd "$dest" && find . ! -type d | sort)
}
check "make uninstall leaves the files of others" only_mine_left
rm -f "$data/scenarios/only-here.json" "$data/scripts/only_here.lua"
nothing_left() {
    make_ uninstall || return 1
    [ -z "$(find "$dest" ! -type d)" ] && [ ! -e "$data" ]
}
check "make uninstall leaves nothing" nothing_left
exit $failed

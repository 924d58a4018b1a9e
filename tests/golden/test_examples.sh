#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The worked examples of docs/architecture.md are carried out, on a copy of the tree: each is a change
# in docs/examples that still applies, touches the files that the page names, and compiles. With
# LP_EXAMPLES=all (make nightly) each is also built and tried, with LP_EXAMPLES="column fabric" these:
# half a minute of processor time for each.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
page=docs/architecture.md
examples=(column event command fabric argument)
compiler=${LAYERS_CC:-${CC:-gcc}}
if ! command -v git >/dev/null || ! git rev-parse --git-dir >/dev/null 2>&1; then
    echo "skip examples: this is no tree of git"
    exit 0
fi
if ! command -v "${compiler%% *}" >/dev/null; then
    echo "skip examples: there is no compiler $compiler"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/examples.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export GIT_CEILING_DIRECTORIES=$work # git apply is not to look for a tree above the copy
failed=0

# verdict NAME FILE: passes if FILE, which lists what is wrong, is empty
verdict() {
    if [ -s "$2" ]; then
        head -n 40 "$2"
        echo "not ok examples: $1"
        failed=1
    else
        echo "ok examples: $1"
    fi
}

# a copy of what git knows or would know, with its times
copy() {
    mkdir -p "$1"
    git ls-files -co --exclude-standard | while read -r file; do [ ! -e "$file" ] || echo "$file"; done |
        tar -cf - -T - | tar -xpf - -C "$1"
}

# --- what the page says ---------------------------------------------------------------------------------
# rows EXAMPLE: "FILE<tab>who writes it" of the example's table; nobody where it is in the patch
rows() {
    awk -v patch="docs/examples/$1.patch" '
        index($0, "*Worked example: ") == 1 { inside = index($0, patch) > 0; next }
        /^(\*\*|##)/ { inside = 0 }
        inside && /^\| `/ {
            split($0, cell, /\|/)
            who = cell[3] ~ /^ *written by / ? cell[3] : ""
            gsub(/^ *written by | *$/, "", who)
            n = split(cell[2], name, /`/)
            for (i = 2; i <= n; i += 2) print name[i] "\t" who
        }' $page
}

# --- carried out ------------------------------------------------------------------------------------------
# whose sources follow from the change though they are not touched: a list that they walk
declare -A follow=([column]='lp_jobs_table' [event]='LP_EVENT_COUNT' [command]='lp_command_[a-z]+,' [fabric]='LP_FABRICS|LP_FABRIC_COUNT'
    [argument]='LP_API_HOOKS')
flags=${LAYERS_FLAGS:--std=c11 -D_XOPEN_SOURCE=700 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Iengine -Iui \
    $(pkg-config --cflags igraph libcjson lua5.4 2>/dev/null)}
formatter=
clang-format --version 2>/dev/null | grep -q 'version 14\.' && formatter=clang-format

# compile FILE...: what the compiler says of sources, and the formatter
compile() {
    local file
    local -a c=()
    for file; do
        case $file in *.c) c+=("$file") ;; esac
    done
    # shellcheck disable=SC2086  # flags are words
    $compiler $flags -Werror -Itests -DLP_VERSION='""' -DLP_SOURCEDIR='""' -DLP_DATADIR='""' -fsyntax-only "${c[@]}" </dev/null
    [ -z "$formatter" ] || $formatter --dry-run -Werror "$@"
}

# differ WANTED GOT MISSING UNSAID: the lines of one file that the other one lacks, with what that means
differ() {
    comm -23 "$1" "$2" | awk -v what="$3" '{ print $0 ": " what }'
    comm -13 "$1" "$2" | awk -v what="$4" '{ print $0 ": " what }'
}

copy "$work/tree"
for example in "${examples[@]}"; do
    patch=$root/docs/examples/$example.patch
    said=$work/$example
    if ! git -C "$work/tree" apply --check "$patch" 2>"$said"; then
        {
            echo "docs/examples/$example.patch does not apply any more. Carry the change out again, as \"Worked example\" of"
            echo "$page tells (git apply --3way docs/examples/$example.patch shows where), then, with new files added,"
            echo "    git diff -U1 HEAD >docs/examples/$example.patch"
            echo "and take the change back."
        } >>"$said"
        verdict "$example: applies" "$said"
        continue
    fi
    verdict "$example: applies" "$said"

    git -C "$work/tree" apply --numstat "$patch" | cut -f 3 | sort >"$work/touched"
    rows "$example" | awk -F'\t' '$2 == "" { print $1 }' | sort -u >"$work/named"
    differ "$work/named" "$work/touched" "$page names it, docs/examples/$example.patch does not touch it" \
        "docs/examples/$example.patch touches it, $page does not name it" >"$said"
    [ -s "$work/touched" ] || echo "docs/examples/$example.patch touches nothing" >>"$said"
    verdict "$example: its files are those that the page names" "$said"

    git -C "$work/tree" apply "$patch"
    mapfile -t sources < <(grep '\.[ch]$' "$work/touched")
    mapfile -t followers < <(cd "$work/tree" && grep -rlE --include='*.c' "${follow[$example]}" engine ui tests/unit | sort |
        grep -vxFf "$work/touched" | head -n 3)
    (cd "$work/tree" && compile "${sources[@]}" "${followers[@]}") >"$said" 2>&1
    verdict "$example: compiles, ${#sources[@]} files and ${#followers[@]} that follow" "$said"
    git -C "$work/tree" apply -R "$patch"
done

# --- built, and tried -----------------------------------------------------------------------------------------
program=${LIGHTPATH:-build/release/lightpath}
case $program in /*) ;; *) program=$root/$program ;; esac
at_hand=$(dirname "$program")
mode=${LAYERS_MODE:-$(basename "$at_hand")}

# build EXAMPLE FOLDER: from the objects at hand; where a header that most see is touched and there is
# the quick mode, anew. $built is the mode
build() {
    local example=$1 folder=$2 seen header
    copy "$folder"
    (cd "$folder" && git apply "$root/docs/examples/$example.patch") || return 1
    seen=0
    built=$mode
    for header in $(git -C "$folder" apply --numstat "$root/docs/examples/$example.patch" | cut -f 3 | grep '\.h$'); do
        seen=$((seen + $(grep -rl --include='*.d' " $header" "$at_hand/engine" "$at_hand/ui" 2>/dev/null | wc -l)))
    done
    if [ $seen -gt 150 ] && make -C "$folder" -n MODE=dev all >/dev/null 2>&1; then
        built=dev
        nice make -C "$folder" -s -j2 MODE=dev O=build/example all
    else
        mkdir -p "$folder/build" && cp -pr "$at_hand" "$folder/build/example" &&
            rm -rf "$folder/build/example/tests" &&
            # what depends on which header is said of objects where they were made
            find "$folder/build/example" -name '*.d' -exec sed -E -i 's#^[^ :]*/(engine|ui)/#build/example/\1/#' {} + &&
            nice make -C "$folder" -s -j2 MODE="$mode" O=build/example all
    fi
}

# expect TEXT FILE: the file has the text
expect() {
    grep -qF -- "$1" "$2" || { echo "expected '$1' in:" && head -n 20 "$2"; }
}

# What each is tried by, in its folder, with $lightpath; prints what is wrong.
try_column() {
    printf 'n*12\n3\n' >keys
    "$lightpath" scenarios/pac-ml-32.json --keys keys --size 200x60 --save-screen screen || echo "no screen"
    expect '  offers   cause ' screen
    grep -qE ' +[0-9]+ +[a-z0-9_]+ +completed .* 1 +1 ways|completed .* [0-9]+ +1  ' screen || { echo "no job with its offers in:" && cat screen; }
    LIGHTPATH=$lightpath UPDATE=1 tests/tui/test_screens.sh jobs words-all jobs-filter help >said || cat said
}
try_event() {
    "$lightpath" run scenarios/optics-vs-packets.json --trace trace >out || echo "the run failed"
    expect '"kind":"wait"' trace
    expect '"kind":"stay"' trace
    printf ':break event stay\nplay\n:wait-until breakpoint: event stay\n:expect goes on waiting\n' >keys
    "$lightpath" scenarios/optics-vs-packets.json --keys keys --size 100x30 --save-screen screen || cat screen
}
try_command() {
    "$lightpath" fabrics >out || echo "it failed"
    expect 'ramp     RAMP: ' out
    "$lightpath" help >out
    expect '  fabrics ' out
    "$lightpath" completions bash >out
    expect '    fabrics) flags=' out
}
try_fabric() {
    "$lightpath" run scenarios/star.json --json --hash >one && "$lightpath" run scenarios/star.json --json --hash >two || echo "the run failed"
    cmp one two
    expect '"hash":"23ef0166d13c4010"' one
    "$lightpath" predict zoo:alexnet --fabric star:4 --degree 4 --json >out || echo "no prediction"
    "$lightpath" check scenarios/star.json >out
}
try_argument() {
    cat >asks.lua <<'END'
local policy = { name = "asks", api = 1 }
function policy:order_queue(queue, cluster, fabric)
  self.mem.ports = #queue .. " wait, a turn takes " .. fabric.delay
end
function policy:partition(job, cluster)
  return cluster:fits(4) and 4 or "wait", self.mem.ports
end
return policy
END
    "$lightpath" run scenarios/optics-vs-packets.json --policy ./asks.lua --json >out || echo "the run failed"
    expect ' wait, a turn takes ' out
}

case ${LP_EXAMPLES:-} in
all) chosen=("${examples[@]}") ;;
'') chosen=() ;;
*) read -r -a chosen <<<"$LP_EXAMPLES" ;;
esac
case $mode in
release | debug | dev) ;;
*) chosen=() && echo "skip examples: built: in the mode $mode it is not tried" ;;
esac
[ -x "$program" ] || { chosen=() && echo "skip examples: built: there is no program $program"; }

for example in "${chosen[@]}"; do
    said=$work/$example
    folder=$work/built
    rm -rf "$folder"
    if ! build "$example" "$folder" >"$said" 2>&1; then
        verdict "$example: is built" "$said"
        continue
    fi
    echo "ok examples: $example: is built"
    lightpath=$folder/build/example/lightpath
    (cd "$folder" && "try_$example") >"$said" 2>&1
    verdict "$example: does what it is for" "$said"
    # what the commands of the page write is what it says
    make -C "$folder" -s MODE="$built" O=build/example docs-lists >"$said" 2>&1
    rows "$example" | awk -F'\t' '$2 != "" { print $1 }' | sort -u >"$work/named"
    git -C "$folder" apply --numstat "$root/docs/examples/$example.patch" | cut -f 3 >"$work/touched"
    (cd "$folder" && find docs scripts/meta tests/tui/golden -type f) | grep -vxFf "$work/touched" | sort | while read -r file; do
        cmp -s "$folder/$file" "$work/tree/$file" || echo "$file"
    done >"$work/written"
    differ "$work/named" "$work/written" "$page says that a command writes it anew, and none does" \
        "written anew, $page does not say so" >>"$said"
    verdict "$example: what follows by commands is what the page says" "$said"
done
exit $failed

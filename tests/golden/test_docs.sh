#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the pages of docs/ take over from the sources is what the sources say: the tables of options
# and causes, the sections and quirks that comments refer to, the arrows between the folders, and
# the names of files and functions.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/docs.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
semantics=docs/semantics.md
architecture=docs/architecture.md
failed=0

# verdict NAME FILE: passes if FILE, which lists what is wrong, is empty
verdict() {
    if [ -s "$2" ]; then
        cat "$2"
        echo "not ok $1"
        failed=1
    else
        echo "ok $1"
    fi
}

# rows HEADER TABLE PARAMETERS ROW: the rows of an X-macro, as the preprocessor sees them, one line
# each; literals that follow each other are one text
compiler=
for candidate in "${CC:-gcc}" gcc clang cc; do
    command -v "${candidate%% *}" >/dev/null && compiler=$candidate && break
done
rows() {
    printf '#include "%s"\n#undef NULL\n#define X(%s) @row %s @end\n%s(X)\n' "$1" "$3" "$4" "$2" |
        $compiler -std=c11 -E -P -Iengine -x c - | tr '\n' ' ' | sed 's/@row/\n@row/g; s/$/\n/' |
        sed -n 's/^@row *\(.*\) @end.*/\1/p' | sed -E 's/" +"//g; s/ *\| */ | /g; s/"//g'
}

# The picture of the README is what the program draws now.
program=${LIGHTPATH:-build/release/lightpath}
if [ -x "$program" ]; then
    "$program" scenarios/pac-ml-32.json --keys docs/screen.keys --size 100x30 --save-screen "$work/screen.svg" >"$work/wrong" 2>&1
    cmp -s "$work/screen.svg" docs/screen.svg || echo "docs/screen.svg is another picture than the program draws: make docs" >>"$work/wrong"
    verdict "the picture of the README is the program's" "$work/wrong"
fi

# table FILE HEADING: the rows of the first table after a heading
table() {
    awk -v heading="$2" '
        index($0, heading) == 1 { inside = 1; next }
        inside && /^\|/ { if (++line > 2) print; next }
        inside && line { exit }' "$1"
}

if [ -z "$compiler" ]; then
    echo "skip docs: tables: there is no C compiler"
else
    rows model/options.h LP_OPTION_TABLE 'id, name, quirks, published, corrected' \
        'name | quirks | published | corrected' |
        sed -E 's/^([^ ]+) \| (.*)$/| `\1` | \2 |/' >"$work/options"
    [ -s "$work/options" ] || echo "no option was found" >"$work/bad-options"
    diff -u "$work/options" <(table $semantics '## A.') >>"$work/bad-options"
    verdict "docs: the options of engine/model/options.h" "$work/bad-options"

    rows model/answer.h LP_CAUSE_TABLE 'id, code, golden, sentence' 'code | sentence | golden' |
        sed -nE '/NULL/d; s/^(.*) \| (.*) \| (.*)$/| `\1` | \2 | `\3` |/p' >"$work/causes"
    [ -s "$work/causes" ] || echo "no cause was found" >"$work/bad-causes"
    diff -u "$work/causes" <(table $semantics '## E.') >>"$work/bad-causes"
    verdict "docs: the causes of engine/model/answer.h" "$work/bad-causes"
fi

# --- what comments refer to ------------------------------------------------------------------------
sources=$(find engine ui tests scripts -name '*.[ch]' -o -name '*.lua' | sort)
grep -ohE '[Ss]emantics [0-9]+(\.[0-9]+)?' $sources | awk '{ print $2 }' | sort -u |
    while read -r section; do
        grep -qE "^### ${section//./\\.}( |\.[0-9])" $semantics ||
            echo "'semantics $section' is referred to, $semantics has no such section"
    done >"$work/sections"
verdict "docs: the sections that comments refer to" "$work/sections"

explained=$'\n'$(<$semantics)
grep -ohE '\bQ[0-9]+b?\b' $sources | sort -u | while read -r quirk; do
    [[ $explained == *$'\n'"| $quirk |"* ]] || echo "$quirk is referred to, $semantics does not explain it"
done >"$work/quirks"
verdict "docs: the quirks that comments refer to" "$work/quirks"

# --- the house ---------------------------------------------------------------------------------------
arrows=$(grep -o 'ui -> many -> .* -> base' tests/layers.sh | head -n 1)
grep -qF -- "$arrows" $architecture || echo "$architecture does not draw '$arrows'" >"$work/house"
for folder in engine/*/; do
    folder=$(basename "$folder")
    grep -q "^| \`$folder\` |" $architecture || echo "$architecture has no row for engine/$folder"
done >>"$work/house"
# rows: of each room the third column of its last row, but for one that is about POSIX
declare -A rows=()
while IFS= read -r line; do
    [[ $line =~ ^\|\ \`([^\`]+)\`\ \| ]] && room=${BASH_REMATCH[1]} || continue
    [[ $line =~ \|\ [A-Za-z]*,\ POSIX\ \|$ ]] && continue
    said=${line#*|*|*|}
    rows[$room]=${said%%|*}
done <$architecture
# each line of ROOMS and the row of the room: the same room, using the same rooms
sed -n "/^ROOMS='/,/'\$/p" tests/layers.sh | tr -d "'" | sed 's/^ROOMS=//' | while IFS=: read -r room uses; do
    case $room in */*) ;; *) [ -n "$uses" ] || continue ;; esac
    [ "$room" != ui ] || continue # its row is that of the folder
    [ "$room" != ui/views ] || room=ui/views/NAME
    [ -n "${rows[$room]+x}" ] || { echo "$architecture has no row for the room $room" && continue; }
    said=${rows[$room]}
    [ "$said" = ' all of these ' ] && continue
    words=($uses) quotes=${said//[!\`]/}
    for used in $uses; do
        name=${used%+}
        name="\`${name#*/}\`"
        [ "$name" = "\`${used#*/}\`" ] || name+=' and below'
        [[ $said == *"$name"* ]] || echo "$architecture: $room may use $used, and its row does not say so"
    done
    [ ${#quotes} -eq $((2 * ${#words[@]})) ] ||
        echo "$architecture: the row of $room says more than ROOMS of tests/layers.sh"
done >>"$work/house"
verdict "docs: the folders and their arrows" "$work/house"

# --- claims --------------------------------------------------------------------------------------------
# how far the published rates of the rules are from ours, as the page's own table has them
said=$(awk -F'|' '
    function trim(s) { gsub(/^ +| +$/, "", s); return s }
    /^\| agent \|/ { inside = 1; next }
    inside && !/^\|/ { exit }
    inside && trim($2) != "" { rule = trim($2); split("", mean); split("", run) }
    inside && trim($3) == "published" && rule !~ /PAC-ML/ {
        for (i = 1; i <= 4; i++) {
            cell = trim($(i + 3)); mean[i] = run[i] = ""
            if (match(cell, /^\.[0-9]+/)) mean[i] = substr(cell, RSTART, RLENGTH)
            if (match(cell, /\(\.[0-9]+\)/)) run[i] = substr(cell, RSTART + 1, RLENGTH - 2)
        }
    }
    inside && trim($3) == "here" && rule !~ /learned/ {
        for (i = 1; i <= 4; i++) {
            ours = trim($(i + 3)); sub(/ .*/, "", ours)
            if (mean[i] != "") {
                off = ours - mean[i]; off = off < 0 ? -off : off
                if (off > most) { next_most = most; most = off } else if (off > next_most) next_most = off
            }
            if (run[i] != "") {
                off = ours - run[i]; off = off < 0 ? -off : off
                if (off > alone[i]) alone[i] = off
            }
        }
    }
    END {
        printf "%.4f %.4f %.4f %.4f %.4f %.4f\n", most, next_most, alone[1], alone[2], alone[3], alone[4]
    }' docs/pac-ml.md)
read -r -a distance <<<"$said"
for number in "${distance[@]}"; do
    grep -qF " ${number#0}" docs/pac-ml.md || echo "docs/pac-ml.md does not say ${number#0}: its table has $said"
done >"$work/claims"
[ "${#distance[@]}" = 6 ] && [ "${distance[0]}" != 0.0000 ] || echo "no distance was found: $said" >>"$work/claims"
grep -qE "farthest from ours is ${distance[0]#0} away.*next one ${distance[1]#0} " docs/pac-ml.md ||
    echo "docs/pac-ml.md: the farthest are ${distance[0]#0} and ${distance[1]#0} away" >>"$work/claims"
# words that stand where a number with its command should
for page in docs/*.md README.md; do
    grep -nE 'would explain|no [a-z]+ was found|four times follow|to the last digit' "$page" | sed "s|^|$page:|"
done >>"$work/claims"
verdict "docs: how far the published rates are, and no empty claims" "$work/claims"

# --- timings ---------------------------------------------------------------------------------------------
# how long the program takes stands in docs/performance.md alone, with what measures it (make bench)
grep -nE '[0-9] ?(us|ms|s|seconds|minutes|hours) (of|a) (processor|CPU|wall)|[0-9] (steps|decisions|runs) a second|--version.*[0-9] ms|(takes|took) [0-9.]+ (us|ms|s|minutes|hours) (on|with) (one|two|a|this|[0-9]+) (core|thread|processor|machine)' \
    docs/*.md docs/*.[157] README.md | grep -v '^docs/performance.md:' |
    grep -v 'more than 10 seconds of processor time' >"$work/timings" # a limit, not a measurement
verdict "docs: timings stand in docs/performance.md" "$work/timings"

# --- folders ---------------------------------------------------------------------------------------------
# what the pages name under the user's home is what `lightpath paths` says
if [ -x "$program" ]; then
    env -u XDG_DATA_HOME -u XDG_STATE_HOME -u XDG_CONFIG_HOME HOME=/home/nobody "$program" paths |
        sed -nE 's|^[- ] +[a-z]+ +/home/nobody/([^ ]*) .*|~/\1|p' >"$work/kept"
    grep -qx '~/.local/share/lightpath/progress' "$work/kept" || echo "paths does not say where progress is" >"$work/folders"
    grep -oE '~/\.(local|config)[A-Za-z0-9_./-]*' docs/*.md docs/*.[157] README.md | sed -E 's/[.,]?$//; s/:/ /' |
        sort -u | while read -r page path; do
        # a folder of all programs, one of these, or what lies in one
        grep -qE "^${path//./\\.}(/lightpath.*)?$" "$work/kept" ||
            { [[ $path == */lightpath/scripts* || $path == */lightpath/scenarios* || $path == */lightpath/themes* ]] &&
                grep -qxF "${path%%/lightpath/*}/lightpath" "$work/kept"; } ||
            echo "$page: $path is not what lightpath paths says"
    done >>"$work/folders"
    # progress and saved sessions are each named with their own folder
    awk '/gone through is the file/ { on = 1 } on' docs/teaching.md | tr '\n' ' ' |
        grep -q 'gone through is the file `~/.local/share/lightpath/progress`, sessions saved by themselves are in `~/.local/state/lightpath`' ||
        echo "docs/teaching.md names other folders" >>"$work/folders"
    verdict "docs: folders are those that lightpath paths prints" "$work/folders"
fi

# --- names -------------------------------------------------------------------------------------------
pages=$(ls docs/*.md README.md CHANGELOG.md 2>/dev/null)
grep -oE '`(\.ci|docs|engine|scenarios|scripts|tests|themes|ui)/[A-Za-z0-9_./-]*`' $pages |
    sed -E 's/`//g; s/:/ /' | sort -u | while read -r page path; do
    # (NAME stands for a name to be chosen; a worked example may make a file)
    [[ $path == *NAME* ]] || [ -e "$path" ] || grep -qxF "+++ b/$path" docs/examples/*.patch || echo "$page: there is no $path"
done >"$work/paths"
# files of C that are named from their folder on
grep -oE '`[a-z_]+/[a-z_/]+\.[ch]`' $pages | sed -E 's/`//g; s/:/ /' | sort -u | while read -r page path; do
    [[ $'\n'$sources$'\n' == *[/$'\n']"$path"$'\n'* ]] || grep -qxF "+++ b/$path" docs/examples/*.patch || echo "$page: there is no $path"
done >>"$work/paths"
grep -oE '\]\([A-Za-z.][^):#]*' $pages | sed 's/:\](/ /' | sort -u | while read -r page path; do
    [[ $page == */* ]] && folder=${page%/*} || folder=.
    [ -e "$path" ] || [ -e "$folder/$path" ] || echo "$page: the link $path leads nowhere"
done >>"$work/paths"
verdict "docs: every file that is named exists" "$work/paths"

grep -ohE '\b(lp|LP)_[A-Za-z0-9_]+' $sources Makefile tests/*/*.sh docs/examples/*.patch | sort -u >"$work/known"
grep -oE '\b(lp|LP)_[A-Za-z0-9_]+' $pages | sort -u |
    awk -F : 'NR == FNR { known[$1] = 1; next } !($2 in known) { print $1 ": there is no " $2 }' "$work/known" - >"$work/names"
verdict "docs: every function and constant that is named exists" "$work/names"

exit $failed

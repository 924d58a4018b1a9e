#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Screens as text: each screens/NAME.keys is played at the sizes that it names, and the last screen
# compared with golden/NAME-SIZE.txt. All are played in one process (tests/many).
#
#   tests/tui/test_screens.sh [NAME...]      UPDATE=1 writes the golden screens instead
#
# Without NAME each script is played at the first of its sizes, and at one in four of the others
# (SCREENS_SEED says which): a size more of the same screen is mostly the same code, and takes as long as the first.
# LP_SCREENS=all (.ci/run, make nightly) and UPDATE=1 play every one.
#
# A script's first lines may say
#     # sizes: 80x24 100x30              default 80x24
#     # scenario: scenarios/x.json       default scenarios/pac-ml-32.json
#     # policy: meets_deadline.lua       default the scenario's
#     # options: --ascii
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/many/many.sh
program=${LIGHTPATH:-build/release/lightpath}
if [ ! -x "$program" ]; then
    echo "skip screens: there is no program $program"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/screens.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/screens" "$work/said" || exit 1
failed=0

# fail WHAT
fail() {
    echo "not ok $1"
    failed=1
}

# --- what there is to play ---------------------------------------------------------------------------------
every=4 seed=${SCREENS_SEED:-1} # of the sizes behind the first one in so many
if [ $# -gt 0 ] || [ "${LP_SCREENS:-}" = all ] || [ "${UPDATE:-0}" = 1 ]; then
    every=1
else
    echo "# a sample of the sizes: SCREENS_SEED=$seed (LP_SCREENS=all: all of them)"
fi
[ $# -gt 0 ] || set -- $(cd tests/tui/screens && ls ./*.keys | sed -E 's|^\./(.*)\.keys$|\1|')
scripts=()
for name; do
    if [ -r "tests/tui/screens/$name.keys" ]; then
        scripts+=("tests/tui/screens/$name.keys")
    else
        fail "screen $name: there is no tests/tui/screens/$name.keys"
    fi
done

# What the scripts say in their heads, as cases: the first line of each kind counts.
cases() {
    [ ${#scripts[@]} -gt 0 ] || return
    awk -v out="$work/screens" -v every=$every -v seed="$seed" '
        function value(word) { return (word in said) ? said[word] : "" }
        function played(   name, size, sizes, n, i, words) {
            if (file == "") return
            name = file
            sub(/^.*\//, "", name)
            sub(/\.keys$/, "", name)
            words = value("scenario") != "" ? value("scenario") : "scenarios/pac-ml-32.json"
            if (value("policy") != "") words = words "\t--policy\t" value("policy")
            if (value("options") != "") words = words "\t" value("options")
            n = split(value("sizes") != "" ? value("sizes") : "80x24", sizes, /[ \t]+/)
            for (i = 1; i <= n; i++)
                if (sizes[i] != "" && (i == 1 || (others++ + seed) % every == 0))
                    printf "%s-%s\t%s\t--keys\t%s\t--size\t%s\t--save-screen\t%s/%s-%s.txt\n", name, sizes[i], words, file, sizes[i],
                        out, name, sizes[i]
        }
        FNR == 1 { played(); file = FILENAME; split("", said) }
        match($0, /^# (sizes|scenario|policy|options): */) {
            word = substr($0, 3)
            sub(/:.*/, "", word)
            text = substr($0, RLENGTH + 1)
            if (word == "options") { sub(/ +$/, "", text); gsub(/ +/, "\t", text) }
            if (!(word in said)) said[word] = text
        }
        END { played() }' "${scripts[@]}"
}

# --- playing and comparing -----------------------------------------------------------------------------------
cases >"$work/cases"
many "$program" "$work/said" <"$work/cases" || fail "screens: the process that plays them"
declare -A differs=()
while read -r name; do
    differs[$name]=1
done < <(LC_ALL=C diff -rq tests/tui/golden "$work/screens" | sed -n 's|^Files tests/tui/golden/\(.*\)\.txt and .* differ$|\1|p')

while IFS=$'\t' read -r case _; do
    screen="screen ${case%-*} ${case##*-}" golden=tests/tui/golden/$case.txt out=$work/screens/$case.txt
    if [ -s "$work/said/$case" ] || [ ! -e "$out" ]; then
        cat "$work/said/$case"
        fail "$screen"
    elif [ "${UPDATE:-0}" = 1 ]; then
        cp "$out" "$golden"
        echo "ok $screen (written)"
    elif [ -e "$golden" ] && [ -z "${differs[$case]-}" ]; then
        echo "ok $screen"
    else
        diff -u "$golden" "$out"
        fail "$screen"
    fi
done <"$work/cases"

# --- every golden screen has as many rows as its name says, and no more columns ------------------------------
# Characters are counted as the bytes that do not go on with one: not every awk knows UTF-8.
for golden in tests/tui/golden/*.txt; do
    echo "$golden"
done | LC_ALL=C awk '
    {
        n = split(substr($0, 1, length($0) - length(".txt")), part, /[-x]/)
        rows = 0
        while ((getline line <$0) > 0) {
            rows++
            gsub(/[\200-\277]/, "", line)
            if (length(line) > part[n - 1] + 0) { print $0 ":" rows " has " length(line) " columns"; bad = 1 }
        }
        close($0)
        if (rows != part[n] + 0) { print $0 " has " rows " rows"; bad = 1 }
    }
    END { exit bad }' || { echo "not ok screens have their size" && exit 1; }
echo "ok screens have their size"
exit $failed

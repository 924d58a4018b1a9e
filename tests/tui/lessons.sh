# SPDX-License-Identifier: GPL-3.0-or-later
# To be sourced by the scripts about lessons, after $program: what they share.
work=$(mktemp -d "${TMPDIR:-/tmp}/lessons.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# verdict NAME: of the command before
verdict() {
    if [ $? -eq 0 ]; then
        echo "ok $1"
    else
        cat "$work/out"
        echo "not ok $1"
        failed=1
    fi
}

lessons=$("$program" lesson | sed -n 's/^\([^ ].*\)$/\1/p' | awk '{ print $1 }')
[ -n "$lessons" ] || { echo "not ok lessons: there are none" && exit 1; }

# lessons_of odd|even: those with such a number, of which the longest runs make about two halves; one
# without a number is even
lessons_of() {
    local name number
    for name in $lessons; do
        number=${name%%-*}
        case $number in *[!0-9]*) number=0 ;; esac
        [ $((number % 2)) -eq "$([ "$1" = odd ] && echo 1 || echo 0)" ] && echo "$name"
    done
}

# chosen odd|even: those whose numbers are computed again. Two take as long as all others, by the same
# code with more jobs, so they wait for LP_LESSONS=all (.ci/run, make nightly).
long='5-largest-degree 13-circuits'
chosen() {
    local name
    for name in $(lessons_of "$1"); do
        [ "${LP_LESSONS:-}" != all ] && [[ " $long " == *" $name "* ]] || echo "$name"
    done
}

# verifies odd|even: every number of their texts computed again, and their solutions marked
verifies() {
    local name
    mkdir "$work/verified"
    [ "${LP_LESSONS:-}" = all ] || echo "# without $long (LP_LESSONS=all: with them)"
    chosen "$1" | awk -v OFS='\t' '{ print $1, "lesson", $1, "--verify" }' |
        many "$program" "$work/verified" || { echo "not ok lessons: the process that verifies them" && failed=1; }
    for name in $(chosen "$1"); do
        cat "$work/verified/$name" >"$work/out" && [ -s "$work/out" ] && ! grep -qE '^(exit|signal)' "$work/out"
        verdict "lesson $name: every number is computed"
        [ "$(grep -cE '^ *passes: ' "$work/out")" -ge 2 ] && [ "$(grep -cE '^ *fails: ' "$work/out")" -ge 2 ]
        verdict "lesson $name: solutions that must pass and that must not were marked"
    done
}

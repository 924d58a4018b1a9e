#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Completions name every command and option there is, and bash completes with them.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
if [ ! -x "$program" ]; then
    echo "skip completions: there is no program $program"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/completions.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

verdict() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok completions: $1"
    else
        echo "not ok completions: $1"
        failed=1
    fi
}

for shell in bash zsh fish; do
    "$program" completions $shell >"$work/$shell"
    verdict "$shell" $?
done
bash -n "$work/bash"
verdict "bash can read its own" $?
if command -v zsh >/dev/null; then
    zsh -n "$work/zsh"
    verdict "zsh can read its own" $?
else
    echo "skip completions: zsh is not installed"
fi
if command -v fish >/dev/null; then
    fish -n "$work/fish"
    verdict "fish can read its own" $?
else
    echo "skip completions: fish is not installed"
fi

# every command and every option that the help names
"$program" --help | sed -nE 's/^  ([a-z]+) .*/\1/p' | grep -v '^lightpath$' | sort -u >"$work/commands"
while read -r command; do
    echo "$command"
    "$program" "$command" --help 2>/dev/null | grep -oE -- '^ +(-[a-z], )?--[a-z-]+' |
        grep -oE -- '--[a-z-]+' | grep -vx -- --help | sort -u | sed "s/^/$command /"
done <"$work/commands" >"$work/named"
# the words of a shell's file, as it writes a command or an option; then what is named and not among them
{
    grep -oE -- '[A-Za-z0-9_-]+' "$work/bash" | sed 's/^/bash /'
    grep -oE '[A-Za-z0-9_]+' "$work/zsh" "$work/fish" | sed -E 's/^.*\/(zsh|fish):/\1 /'
    grep -oE "'[*]?--[a-z-]+\[" "$work/zsh" | sed -E "s/^'[*]?/zsh /; s/\[$//"
    grep -oE -- '-l [a-z-]+ ' "$work/fish" | sed -E 's/^-l (.*) $/fish --\1/'
} | sort -u | awk -v named="$work/named" '
    { has[$1, $2] = 1 }
    END {
        while ((getline line < named) > 0) {
            n = split(line, word, " ")
            if (!(("bash", word[n]) in has && ("zsh", word[n]) in has && ("fish", word[n]) in has)) print "  " line
        }
    }' >"$work/missing"
cat "$work/missing"
[ "$(wc -l <"$work/commands")" -ge 10 ] && [ ! -s "$work/missing" ]
verdict "every command and option is there" $?

complete() { # WORD...: what bash would offer for the last one
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lightpath
        printf "%s\n" "${COMPREPLY[@]}"' - "$work/bash" "$@"
}
mkdir "$work/bin" && ln -s "$(realpath "$program")" "$work/bin/lightpath"
PATH=$work/bin:$PATH
complete lightpath wha | grep -qx whatif
verdict "a command" $?
complete lightpath run --pol | grep -qx -- --policy
verdict "an option" $?
complete lightpath run --policy ed | grep -qx edf.lua
verdict "a policy" $?
complete lightpath pac | grep -qx pac-ml-32
verdict "a scenario" $?
complete lightpath policy ch | grep -qx check
verdict "a command of policy" $?
"$program" completions tcsh >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'expected bash, zsh or fish' "$work/err" && [ ! -s "$work/out" ]
verdict "another shell is refused" $?
exit $failed

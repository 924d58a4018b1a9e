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
missing=0
while read -r command; do
    grep -qw -- "$command" "$work/bash" && grep -qw -- "$command" "$work/zsh" &&
        grep -qw -- "$command" "$work/fish" || { echo "  $command" && missing=1; }
    "$program" "$command" --help 2>/dev/null | grep -oE -- '^ +(-[a-z], )?--[a-z-]+' |
        grep -oE -- '--[a-z-]+' | sort -u >"$work/options"
    while read -r option; do
        [ "$option" = --help ] || grep -q -- "-l ${option#--} " "$work/fish" &&
            grep -q -- "'[*]\?$option\[" "$work/zsh" && grep -qw -- "$option" "$work/bash" ||
            { [ "$option" = --help ] || { echo "  $command $option" && missing=1; }; }
    done <"$work/options"
done <"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 10 ] && [ $missing -eq 0 ]
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

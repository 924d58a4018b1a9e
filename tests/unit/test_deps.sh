#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `make deps`: nothing is touched when nothing is missing; root installs, a user is asked or told.
# Nothing is really installed: apt-get, sudo, id and pkg-config are stand-ins that keep a record.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-deps.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  /' "$tmp/output" "$tmp/record"
        echo "not ok $2"
        failed=1
    fi
}
stand_in() { { echo '#!/bin/sh'; cat; } >"$1" && chmod +x "$1"; }

# A PATH that holds the stand-ins and nothing of the machine but what the script itself needs.
mkdir "$tmp/bin"
for tool in bash sh env cat sed; do ln -s "$(command -v $tool)" "$tmp/bin/"; done
for tool in cc clang make nm tmux pgrep script zsh fish python3 tput; do stand_in "$tmp/bin/$tool" <<<'exit 0'; done
mkdir -p "$tmp/i18n/locales" && : >"$tmp/i18n/locales/de_DE"
stand_in "$tmp/bin/id" <<<'cat "$TMP/uid"'
# a package is found once it was installed
stand_in "$tmp/bin/pkg-config" <<<'[ -e "$TMP/installed" ] || { case $2 in lua5.4|libcjson*) exit 1 ;; esac; }'
stand_in "$tmp/bin/apt-get" <<<'echo "apt-get $*" >>"$TMP/record"
[ "$1" = update ] || [ -e "$TMP/broken" ] || : >"$TMP/installed"'
stand_in "$tmp/bin/sudo" <<<'echo "sudo $*" >>"$TMP/record"
[ -e "$TMP/password" ] && [ "$1" = -n ] && exit 1
[ "$1" = -n ] && shift
exec "$@"'

fresh() { # fresh UID [FILE]...: a machine with packages missing
    rm -f "$tmp"/{installed,broken,password,record}
    : >"$tmp/record"
    echo "$1" >"$tmp/uid"
    shift
    for file in "$@"; do : >"$tmp/$file"; done
}
deps() { env -i PATH="$tmp/bin" TMP="$tmp" I18NPATH="$tmp/i18n" CC=cc PKG_CONFIG=pkg-config "$tmp/bin/bash" "$root/.ci/deps" "$@"; }
said() { grep -qxF -- "$1" "$tmp/output"; }
recorded() { [ "$(cat "$tmp/record")" = "$1" ]; }

update="apt-get update"
install="apt-get install -y --no-install-recommends liblua5.4-dev libcjson-dev"

fresh 0 installed
deps test </dev/null >"$tmp/output" 2>&1 && recorded "" && [ ! -s "$tmp/output" ]
result $? "with everything there nothing is run and nothing is said"

fresh 1000 installed
deps ci </dev/null >"$tmp/output" 2>&1
recorded "sudo -n $update
$update
sudo -n apt-get install -y --no-install-recommends clang-format ccache
apt-get install -y --no-install-recommends clang-format ccache"
result $? "checking a change needs more than testing it"

fresh 0
deps test </dev/null >"$tmp/output" 2>&1 && recorded "$update
$install"
result $? "root installs what is missing, and only that"

fresh 0 broken
! deps test </dev/null >"$tmp/output" 2>&1 && grep -q 'still does not find: liblua5.4-dev libcjson-dev' "$tmp/output"
result $? "an installation that did not help is told"

fresh 1000
deps test </dev/null >"$tmp/output" 2>&1 && recorded "sudo -n $update
$update
sudo -n $install
$install"
result $? "without a terminal sudo -n installs"

fresh 1000 password
! deps test </dev/null >"$tmp/output" 2>&1 && recorded "sudo -n $update" &&
    said "  sudo $update && sudo $install"
result $? "where sudo wants a password the line is printed"

fresh 1000
rm "$tmp/bin/sudo.real" 2>/dev/null
mv "$tmp/bin/sudo" "$tmp/bin/sudo.real"
! deps test </dev/null >"$tmp/output" 2>&1 && said "  sudo $update && sudo $install"
result $? "where there is no sudo the line is printed"
mv "$tmp/bin/sudo.real" "$tmp/bin/sudo"

if command -v script >/dev/null; then
    # asked ANSWER: at a terminal, with the answer typed
    asked() {
        echo "$1" | TMP=$tmp script -qefc "env -i PATH='$tmp/bin' TMP='$tmp' I18NPATH='$tmp/i18n' CC=cc PKG_CONFIG=pkg-config \
            '$tmp/bin/bash' '$root/.ci/deps' test" /dev/null | tr -d '\r' >"$tmp/output"
    }
    fresh 1000
    asked n
    recorded "" && said "  sudo $update && sudo $install"
    result $? "at a terminal the line is shown, and no means no"

    fresh 1000
    asked y
    recorded "sudo $update
$update
sudo $install
$install"
    result $? "at a terminal yes runs the line that was shown"
else
    echo "skip at a terminal the user is asked: no script(1)"
fi

fresh 1000
mv "$tmp/bin/apt-get" "$tmp/apt-get"
! deps test </dev/null >"$tmp/output" 2>&1 && [ "$(wc -l <"$tmp/output")" = 1 ] &&
    grep -q 'liblua5.4-dev libcjson-dev$' "$tmp/output"
result $? "without apt-get one line names the packages"

# what tests use besides: a test does not skip where an installation would let it run
fresh 0 installed
rm "$tmp"/bin/{clang,pgrep,script,zsh,fish,python3,tput} "$tmp/i18n/locales/de_DE"
mv "$tmp/apt-get" "$tmp/bin/apt-get"
deps test </dev/null >"$tmp/output" 2>&1
recorded "$update
apt-get install -y --no-install-recommends procps bsdutils zsh fish python3-jsonschema ncurses-term locales clang"
result $? "tests need more than the program"
deps run </dev/null >"$tmp/output" 2>&1 && [ ! -s "$tmp/output" ]
result $? "running needs none of that"

rm "$tmp/bin/tmux" "$tmp/bin/cc"
mv "$tmp/bin/apt-get" "$tmp/apt-get"
fresh 1000
# GLPK is looked for with the compiler, since pkg-config does not know it
! deps run </dev/null >"$tmp/output" 2>&1 && grep -q ' gcc libc6-dev liblua5.4-dev libcjson-dev libglpk-dev$' "$tmp/output"
result $? "running needs a compiler and the libraries, but nothing of the tests"

exit $failed

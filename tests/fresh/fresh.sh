#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The two commands of the README on machines that have nothing but git and make: minimal Debian
# roots, made by debootstrap from the mirror of this system.
#
#   tests/fresh/fresh.sh [OPTION...] SUITE...        SUITE: bookworm, trixie, sid
#     --all           every test, and every object compiled by root and by the user; without it the
#                     tests of SOME below, and the user is lent what root has built
#     --user-t WORDS  the ordinary user's `make test` has T='WORDS' instead
#     --only WHO      root or user
#     --roots DIR     where roots of today and downloaded packages are kept (default:
#                     $LP_FRESH_CACHE, or lightpath-roots in ${XDG_CACHE_HOME:-~/.cache})
#     --mirror URL    default: the first of this system's sources, or http://deb.debian.org/debian
#
# In each root the committed state of this tree is cloned into a path with a blank, under umask 077,
# with MAKEFLAGS=-j8 and SHELL=/bin/sh, and without a locale. First an ordinary user asks, without
# sudo: refused, with the line that installs what is missing. Then root runs `make run` and
# `make test`, which install it - nothing beyond that line. Then the user runs both: in a clone of
# its own, and from a read-only one with O=. What a user is lent lacks an object of each folder,
# which the user compiles, and what holds the place of the tree, as always.
# Needs root, debootstrap and namespaces; skips what cannot be done without. Each check is a line
# `ok`, `not ok` or `skip`; the last line is "N passed, N failed, N skipped".
set -u

usage() {
    sed -n '3,/^set -u/s/^# \{0,1\}//p' "$0" | sed '$d' >&2
    exit 2
}

# A test for what each package is installed for: cmocka, tmux, script and pgrep, the locales, the
# shells that complete, jsonschema, and each library. What clang (the same bytes from another
# compiler) and ncurses-term (other terminals) are for takes long, and is a matter of --all.
SOME='tests/unit/test_cli.sh tests/unit/test_deps.sh tests/unit/test_base_num tests/tui/test_tmux.sh
tests/golden/test_completions.sh tests/golden/test_made.sh tests/golden/test_golden_open
tests/unit/test_graph_paths tests/unit/test_learn_net tests/unit/test_bound.sh'

tree=$(cd "$(dirname "$0")/../.." && pwd)
roots=${LP_FRESH_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/lightpath-roots}
mirror=
root_t=${SOME//$'\n'/ }
user_t=$root_t
only=
all=
while [ $# -gt 0 ]; do
    case $1 in
    --all) all=1 root_t='' user_t='' && shift && continue ;;
    --roots) roots=${2:?} ;;
    --mirror) mirror=${2:?} ;;
    --user-t) user_t=${2?} ;;
    --only) only=${2:?} ;;
    -*) usage ;;
    *) break ;;
    esac
    shift 2
done
[ $# -gt 0 ] || usage

passed=0 failed=0 skipped=0
verdict() { # STATUS NAME
    if [ "$1" -eq 0 ]; then
        echo "ok fresh: $2"
        passed=$((passed + 1))
    else
        echo "not ok fresh: $2"
        failed=$((failed + 1))
    fi
}
skip() { # NAME WHY
    echo "skip fresh: $1: $2"
    skipped=$((skipped + 1))
}
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit
}

# Why roots cannot be made here; nothing where they can.
obstacle() {
    [ "$(id -u)" -eq 0 ] || { echo "only root can make one" && return; }
    command -v debootstrap >/dev/null || { echo "debootstrap is not installed" && return; }
    unshare -m -p --fork true 2>/dev/null || { echo "this machine allows no new namespaces" && return; }
    git -C "$tree" rev-parse HEAD >/dev/null 2>&1 || echo "$tree is no git repository"
}

# The first Debian mirror among the sources of this system, in either format.
system_mirror() {
    awk '/^[ \t]*#/ { next }
         /^URIs:/ { print $2 }
         /^deb[ \t]/ { for (i = 2; i <= NF; i++) if ($i ~ /^(https?|ftp|file):/) { print $i; break } }' \
        /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list \
        2>/dev/null | grep -E '/debian/?$' | head -n 1
}

# base SUITE: a minimal root with git and make and no more, made once a day
base() {
    local dir=$roots/$1.base script=/usr/share/debootstrap/scripts/$1 today
    today="$(date +%F) $mirror"
    [ "$(cat "$dir.ready" 2>/dev/null)" != "$today" ] || return 0
    [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
    rm -rf "$dir" "$dir.ready"
    find "$roots/$1.debs" -name '*.deb' -mtime +30 -delete
    # dpkg waits for the disk after each file, and beside a build that writes it waits for minutes
    mkdir -p "$dir/etc/dpkg/dpkg.cfg.d" && echo force-unsafe-io >"$dir/etc/dpkg/dpkg.cfg.d/unsafe-io" || return 1
    debootstrap --variant=minbase --include=git,make,ca-certificates --cache-dir="$roots/$1.debs" \
        "$1" "$dir" "$mirror" "$script" >"$roots/$1.debootstrap.log" 2>&1 </dev/null || return 1
    # a mirror may be a snapshot, older than its Release file allows
    echo 'Acquire::Check-Valid-Until "false";' >"$dir/etc/apt/apt.conf.d/99snapshot"
    echo "$today" >"$dir.ready"
}

# inside WHO COMMAND...: in the root of the suite, with its own processes, terminals and packages
inside() {
    local who=$1 home=/root
    shift
    [ "$who" = 0 ] || home=/home/somebody
    # shellcheck disable=SC2016
    unshare -m -p --fork --kill-child sh -c '
        root=$1 who=$2 home=$3 debs=$4
        shift 4
        mount --make-rprivate / && mount --bind "$root" "$root" && mount -t proc proc "$root/proc" &&
            mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" && mkdir -p "$root/dev/pts" &&
            mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts" &&
            mount --bind "$debs" "$root/var/cache/apt/archives" || exit 99
        for device in null zero full random urandom tty; do
            [ -c "$root/dev/$device" ] || { : >"$root/dev/$device" && mount --bind "/dev/$device" "$root/dev/$device"; }
        done
        [ -e "$root/dev/ptmx" ] || ln -s pts/ptmx "$root/dev/ptmx"
        [ -e "$root/dev/fd" ] || ln -s /proc/self/fd "$root/dev/fd"
        umask 077
        exec chroot --userspec="$who:$who" --groups= "$root" /usr/bin/env -i HOME="$home" SHELL=/bin/sh \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=xterm-256color \
            MAKEFLAGS=-j8 ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"
    ' inside "$root" "$who" "$home" "$roots/$suite.debs" "$@" </dev/null
}

# make_ WHO FOLDER ARGUMENT...: make there; out, err and status
make_() {
    local who=$1 folder=$2 started=$SECONDS
    shift 2
    inside "$who" sh -c 'cd "$1" && shift && exec make "$@"' sh "$folder" "$@" >"$log/out" 2>"$log/err"
    status=$?
    took=$((SECONDS - started))
}
show() { tail -n "${1:-60}" "$log/out" "$log/err" 2>/dev/null | sed 's/^/    | /'; }

# clone WHO FOLDER: this tree there, as that user sees it
clone() {
    mkdir -p "$root$2" && (umask 077 && git clone -q --no-hardlinks "$tree" "$root$2") || return 1
    [ "$1" = 0 ] || chown -R "$1:$1" "$root/home/somebody"
}

# lend FOLDER O: what was built in FOLDER is the user's in O, but for the first object of each
# folder of engine/, the first of ui/ and the one that needs the flags of curses
lend() {
    local folder
    [ -z "$all" ] || return 0
    mkdir -p "$root$2" && cp -a "$root$1/build/release/." "$root$2/" || return 1
    for folder in "$root$2"/engine/* "$root$2/ui"; do
        rm "$(find "$folder" -name '*.o' | sort | head -n 1)" || return 1
    done
    rm "$root$2/ui/term/curses.o" && rm -rf "$root$2/tests" && chown -R 1000:1000 "$root/home/somebody"
}
compiled() { grep -c '^  CC  ' "$log/err"; }

# a summary on stdout and nothing else, exit status 0
check_run() { # NAME WHO FOLDER ARGUMENT...
    local name=$1 ok=1
    shift
    make_ "$@" run
    [ $status -eq 0 ] && [ -s "$log/out" ] && ! grep -qE '^  (CC|LINK) |^make' "$log/out" && ok=0
    [ $ok -eq 0 ] || show
    verdict $ok "$name: make run </dev/null ($(compiled) compiled, $took s)"
}

# every test passes; what skips is shown
check_test() { # NAME WHO FOLDER ARGUMENT...
    local name=$1 ok=1 last
    shift
    make_ "$@" test
    last=$(tail -n 1 "$log/out")
    [ $status -eq 0 ] && [[ $last =~ ^[1-9][0-9]*\ passed,\ 0\ failed,\ [0-9]+\ skipped$ ]] && ok=0
    grep '^ *skip: ' "$log/out"
    cp "$log/out" "$roots/$suite.${name##* }.log"
    if [ $ok -ne 0 ]; then
        grep -A 60 'FAILED' "$log/out" | head -n 400 | sed 's/^/    | /'
        show 20
        grep '^failed: ' "$log/out" | sed 's/^/    | /'
    fi
    verdict $ok "$name: make test: $last ($took s)"
}

# The packages that the last message of `make deps` names, one a line.
packages() { grep -hoE "$1.*" "$log/err" "$log/out" | tail -n 1 | sed "s/^$1//" | tr ' ' '\n' | sort; }

check_refused() { # NAME FOLDER GOAL: exit 1 and the exact line; leaves its packages in $log/asked
    make_ 1000 "$2" "$3"
    [ $status -ne 0 ] && grep -qxE '  sudo apt-get update && sudo apt-get install -y --no-install-recommends [a-z0-9. +-]+' \
        "$log/err" && ! grep -qE '^  (CC|LINK) ' "$log/out" "$log/err"
    local ok=$?
    [ $ok -eq 0 ] || show
    packages '  sudo apt-get update && sudo apt-get install -y --no-install-recommends ' >"$log/asked.$3"
    verdict $ok "$1: make $3 without sudo tells what to install"
}

# what root installs for a goal is what the user was told, without what is there by now
check_installed() { # NAME GOAL
    packages 'installing: ' >"$log/installed"
    cat "$log/installed" >>"$log/sofar"
    sort -u "$log/sofar" | diff "$log/asked.$2" - >"$log/diff"
    local ok=$?
    sed 's/^/    | /' "$log/diff"
    verdict $ok "$1: make $2 installs what it tells, and nothing else"
}

# what is lent is newer than all sources, hence every clone at the beginning
clones() {
    clone 0 "$roots_clone" && clone 1000 "$users_clone" && mkdir -p "$root/srv/read only" &&
        git clone -q --no-hardlinks "$tree" "$root$read_only" && chmod -R u=rwX,go=rX "$root/srv"
}

check_read_only() { # a clone that the user may read but not write
    local folder=$read_only how=(O=/home/somebody/built "T=$user_t")
    make_ 1000 "$folder" all
    [ $status -ne 0 ] && grep -q 'cannot be written.*O=DIR' "$log/err" && ! grep -qE '^  CC ' "$log/out"
    local ok=$?
    [ $ok -eq 0 ] || show
    verdict $ok "$suite user: read-only source: make tells of O="
    make_ 1000 "$folder" O=/home/somebody/built /home/somebody/built/engine/base/str.o
    [ $status -eq 0 ] && [ -s "$root/home/somebody/built/engine/base/str.o" ] &&
        lend "$users_clone" /home/somebody/built
    ok=$?
    [ $ok -eq 0 ] || show
    verdict $ok "$suite user: read-only source: O= is made"
    check_run "$suite user: read-only source" 1000 "$folder" "${how[@]}"
    check_test "$suite user: read-only-source" 1000 "$folder" "${how[@]}"
    [ -z "$(git -C "$root$folder" status --porcelain --ignored)" ]
    verdict $? "$suite user: read-only source stays as it was"
}

try_suite() {
    suite=$1 root=$roots/$1.root log=$roots/$1.log
    local roots_clone="/root/a path/light path" users_clone="/home/somebody/a path/light path"
    local read_only="/srv/read only/lightpath"
    mkdir -p "$roots/$suite.debs/partial"
    if ! base "$suite"; then
        tail -n 20 "$roots/$suite.debootstrap.log" | sed 's/^/    | /'
        verdict 1 "$suite: debootstrap from $mirror"
        return
    fi
    rm -rf "$root" "$log"
    mkdir -p "$log"
    cp -a --reflink=auto "$roots/$suite.base" "$root" || { verdict 1 "$suite: a copy of the root" && return; }
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    inside 0 useradd -m -s /bin/sh -u 1000 -U somebody
    clones
    verdict $? "$suite: a clone in a path with blanks"

    check_refused "$suite user" "$users_clone" run
    check_refused "$suite user" "$users_clone" test
    if [ "$only" != user ]; then
        check_run "$suite root" 0 "$roots_clone"
        check_installed "$suite root" run
        check_test "$suite root" 0 "$roots_clone" T="$root_t"
        check_installed "$suite root" test
        [ -z "$(git -C "$root$roots_clone" status --porcelain)" ]
        verdict $? "$suite root: the clone is as it was"
    else
        # shellcheck disable=SC2046
        inside 0 sh -c 'apt-get update && exec apt-get install -y --no-install-recommends "$@"' \
            sh $(cat "$log/asked.test") >"$log/out" 2>"$log/err"
        verdict $? "$suite root: the line that was told installs"
    fi
    if [ "$only" != root ]; then
        [ "$only" = user ] || lend "$roots_clone" "$users_clone/build/release"
        check_run "$suite user" 1000 "$users_clone"
        check_test "$suite user" 1000 "$users_clone" T="$user_t"
        check_read_only
    fi
    rm -rf "$root"
}

why=$(obstacle)
if [ -n "$why" ]; then
    for suite in "$@"; do skip "$suite" "$why"; done
    finish
fi
umask 022
mkdir -p "$roots" || exit 1
roots=$(cd "$roots" && pwd)
mirror=${mirror:-$(system_mirror)}
mirror=${mirror:-http://deb.debian.org/debian}
for suite in "$@"; do
    exec 9>"$roots/$suite.lock" && flock 9 # two runs on one machine share the folder, not the root
    try_suite "$suite"
done
finish

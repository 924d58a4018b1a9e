# SPDX-License-Identifier: GPL-3.0-or-later
# To be sourced by the scripts of this folder.
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}

# walk KIND...: plays the walks of these kinds
walk() {
    local driver late
    driver=$(dirname "$program")/tests/live/live
    late=$(dirname "$program")/tests/live/late.so
    [ ! -e "$late" ] || export LIVE_LATE=$(realpath "$late")
    if [ ! -x "$program" ]; then
        echo "skip live, $*: there is no program $program"
    elif [ ! -x "$driver" ]; then
        echo "skip live, $*: libvterm is not installed (Debian: libvterm-dev)"
    else
        LIGHTPATH=$(realpath "$program") "$driver" "$@"
    fi
}

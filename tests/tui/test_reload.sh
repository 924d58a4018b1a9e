#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Saving the policy file while the program runs in a terminal (tmux): a good save decides from now
# on, a broken one leaves the old policy in charge and says why, a policy that fails stops playing.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
if ! command -v tmux >/dev/null; then
    echo "skip reload: tmux is not installed"
    exit 0
fi
socket=lightpath-reload-$$
mux() { tmux -L "$socket" -f /dev/null "$@"; }
work=$(mktemp -d "${TMPDIR:-/tmp}/reload.XXXXXX") || exit 1
trap 'mux kill-server 2>/dev/null; rm -rf "$work"' EXIT
failed=0

screen() { mux capture-pane -p; }
sees() { # SECONDS PATTERN; three times as long on a busy machine's account
    local end=$((SECONDS + 3 * $1 + 1))
    while [ $SECONDS -le $end ]; do
        screen | grep -qE -- "$2" && return 0
        sleep 0.05
    done
    return 1
}
expect() { # NAME SECONDS PATTERN
    if sees "$2" "$3"; then
        echo "ok reload: $1"
    else
        echo "not ok reload: $1"
        screen | sed 's/^/# /'
        failed=1
    fi
}
policy() { # BODY: saves the policy in one step, as editors do
    printf 'local policy = { name = "mine", api = 1 }\nfunction policy:partition(job, cluster)\n%s\nend\nreturn policy\n' \
        "$1" >"$work/new.lua"
    mv "$work/new.lua" "$work/mine.lua"
}

policy '  return 1, "first version"'
mux new-session -d -x 200 -y 60 env LC_ALL=C.UTF-8 TERM=xterm-256color "$program" scenarios/pac-ml-32.json --no-motion --policy "$work/mine.lua"
expect "the policy decides" 20 'why: "first version" mine.lua:3'
policy '  return 2, "second version"'
expect "a good save decides the decision that is due, at once" 20 'why: "second version" mine.lua:3'
policy '  return ('
expect "a broken save says where, at once" 20 'not taken, the old policy decides on: .*mine.lua:'
mux send-keys n
expect "and the old policy goes on" 20 'why: "second version" mine.lua:3'
expect "which stays on the screen" 20 'mine \(last save broken\)'
mux send-keys n n n n n n
expect "some decisions on" 20 'job [7-9] of'
cp "$work/mine.lua" "$work/old.lua"
rm "$work/mine.lua"
mux send-keys n
expect "a file that is gone leaves the policy in charge" 20 'why: "second version" mine.lua:3'
policy '  return 4, "third version"'
expect "when it is back the run so far is tried again" 20 '[0-9]+ of [0-9]+ decisions differ, first at job'
mux send-keys d
expect "d shows the first difference" 20 '\[partition'
mux send-keys Enter
expect "Enter makes it a branch" 20 'branch saved: the saved policy from the start on'
mux send-keys Space
policy '  return 1, "while it plays"'
expect "a save while it plays" 20 'why: "while it plays" mine.lua:3'
printf 'return function() return 2, "of a part" end\n' >"$work/part.lua"
printf 'local part = require("part")\nlocal policy = { name = "mine", api = 1 }\nfunction policy:partition(job, cluster)\n  return part()\nend\nreturn policy\n' >"$work/mine.lua"
mux send-keys g
expect "a save in place that requires a file" 20 'why: "of a part" part.lua:1'
printf 'return function() return 2, "of a part\n' >"$work/part.lua"
expect "a broken part says where" 20 'not taken, the old policy decides on: .*part.lua:1'
mv "$work/part.lua" "$work/part.lua~"
printf 'return function() return 2, "mended" end\n' >"$work/part.lua"
expect "a part that is mended, with a backup, decides" 20 'why: "mended" part.lua:1'
policy '  return nil + 1'
expect "a save that fails while it runs is no result" 20 'the saved policy fails, what was stays: .*mine.lua:3'
policy '  return 1, "works again"'
expect "a save that works again is tried" 20 '^ saved: .*decision|^ the policy was saved'
! screen | grep -q 'saved policy fails'
if [ $? -eq 0 ]; then echo "ok reload: and what failed is said no longer"; else
    echo "not ok reload: and what failed is said no longer" && screen | sed 's/^/# /' && failed=1
fi
policy '  return nil + 1'
expect "it fails again" 20 'the saved policy fails, what was stays: .*mine.lua:3'
mux send-keys Space
expect "a failing policy stops playing, with its line" 20 'mine.lua:3: '
expect "and is paused" 20 '❚❚ |paused'
policy '  return 1, "mended"'
expect "a save that mends it takes the message away" 20 '^ saved: .*decision|^ the policy was saved'
mux send-keys Q
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The real program in a real terminal (tmux): starts, plays, resizes, suspends, gives the terminal
# back whatever ends it. Waits for what should be seen, never for a time.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
scenario=scenarios/pac-ml-32.json
if ! command -v tmux >/dev/null; then
    echo "skip tmux: it is not installed"
    exit 0
fi
if [ ! -x "$program" ]; then
    echo "skip tmux: there is no program $program"
    exit 0
fi
terminals=0
socket=lightpath-$$-0
mux() { tmux -L "$socket" -f /dev/null "$@"; }
work=$(mktemp -d "${TMPDIR:-/tmp}/tmux.XXXXXX") || exit 1
trap 'mux kill-server 2>/dev/null; rm -rf "$work"' EXIT
failed=0

screen() { mux capture-pane -p; }
# sees SECONDS PATTERN: polls until the screen matches; four times as long on a busy machine's account
sees() {
    local end=$((SECONDS + 4 * $1 + 1))
    while [ $SECONDS -le $end ]; do
        screen | grep -qE -- "$2" && return 0
        sleep 0.05
    done
    return 1
}
# gone SECONDS PATTERN: polls until the screen no longer matches
gone() {
    local end=$((SECONDS + 4 * $1 + 1))
    while [ $SECONDS -le $end ]; do
        screen | grep -qE -- "$2" || return 0
        sleep 0.05
    done
    return 1
}
keys() { mux send-keys "$@"; }
verdict() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok tmux: $1"
    else
        screen
        echo "not ok tmux: $1"
        failed=1
    fi
}

# start [VARIABLE=VALUE...] [-- OPTION...]: the program in a shell that says when it ends
start() {
    local set=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        set+=("$1")
        shift
    done
    [ $# -eq 0 ] || shift
    # a new socket each time: a server that is still dying answers on its old one
    mux kill-server 2>/dev/null
    terminals=$((terminals + 1))
    socket=lightpath-$$-$terminals
    cat >"$work/run" <<END
cd '$PWD'
stty -g >'$work/before'
env XDG_STATE_HOME='$work/state' ${set[*]:-} '$program' ${scenario:+'$scenario'} $* 2>'$work/err'
echo "ended with \$?"
stty -g >'$work/after'
touch '$work/done'
exec cat
END
    rm -f "$work/done" "$work/before" "$work/after"
    mux new-session -d -x 100 -y 30 bash --norc --noprofile "$work/run" ||
        echo "tmux did not start"
}
# ended STATUS: the program ended so, and the terminal is as it was
ended() {
    local end=$((SECONDS + 41))
    sees 10 "ended with $1" || return 1
    while [ ! -e "$work/done" ] && [ $SECONDS -le $end ]; do sleep 0.05; done
    cmp -s "$work/before" "$work/after" &&
        [ "$(mux display-message -p '#{alternate_on}#{cursor_flag}')" = 01 ]
}
child() { pgrep -f -P "$(mux display-message -p '#{pane_pid}')" -- "$program" | head -n 1; }

start
sees 10 '= job 0 ' && screen | grep -q 'list *M mouse$'
verdict "the first decision is on the screen" $?

keys n
sees 10 'job 1 of'
verdict "n takes it and stops at the next" $?

keys ']'
sees 10 '▸ STARTS'
verdict "] steps one event" $?

keys '?'
sees 10 'all words' && keys '?'
sees 10 'play or pause'
verdict "? explains the words, again it shows the keys" $?

keys Escape
gone 10 'play or pause'
verdict "Esc closes them" $?

keys :
sees 10 'Tab completes, help lists' && keys vi Tab ev Tab && sees 10 '^:view events' && keys Enter &&
    sees 10 '^ (events|EVENTS)' && keys 0
verdict ": opens the command line, Tab completes" $?

keys : 'theme light' Enter
gone 10 '^:theme' && sees 10 '= job 1' && mux capture-pane -p >"$work/first"
verdict "the theme changes while it runs" $?

# what a terminal of this type sends for a press and release at column 3, row 4: button, column and
# row from 32
mux send-keys -H 1b 5b 4d 20 23 24
sees 10 'height: time computing' && mux send-keys -H 1b 5b 4d 23 23 24 && mux send-keys -H 1b 5b 4d 20 23 24 && gone 10 'height: time computing'
verdict "a click on a title shows the view alone, another leaves it" $?
keys M
sees 10 'copy mode: the terminal' && mux display-message -p '#{mouse_any_flag}' | grep -qx 0 && keys M &&
    sees 10 'clicks and drags here' && mux display-message -p '#{mouse_any_flag}' | grep -qx 1
verdict "M gives the mouse back to the terminal, and takes it again" $?

keys : && mux send-keys -l "$(printf 'x\344\270\226e\314\201y')" && sees 10 '^:x.e.y' && keys Escape
verdict "what is wide or combining is one cell in the command line" $?

keys n n n p p
sees 10 ' [0-9]+ steps? back'
verdict "p goes back" $?

keys Up Enter
sees 10 'branch d[0-9]+ degree=' && keys 7 && sees 10 '▸ └ d[0-9]+ degree=' && keys c &&
    sees 10 'apart since d' && keys 0
verdict "another row forks, 7 shows the branches, c compares" $?

keys u && sees 10 '└ main [0-9]* steps? back' && keys t End && sees 10 '└ main  +❚❚' && keys Escape
verdict "u goes back to before the fork, t and End to the tip" $?

keys w && sees 10 'every way to decide' && keys w && sees 10 'mean JCT' && keys e &&
    sees 10 'meets_deadline.lua' && keys 0
verdict "w shows what if, e the policy" $?

pid=$(child)
if [ -r "/proc/$pid/status" ]; then
    sleeps() { awk '/^voluntary_ctxt/ { v = $2 } /^nonvol/ { n = $2 } END { print v + n }' "/proc/$pid/status"; }
    quiet=1
    for _ in 1 2 3 4 5; do
        a=$(sleeps)
        sleep 0.2
        [ "$a" = "$(sleeps)" ] && quiet=0
    done
    verdict "paused, it does nothing at all" $quiet
fi

keys Space
sees 10 '2/5 PLACE' && sees 10 '▸ PLAY 1x'
verdict "space plays, and a decision is seen in steps" $?

keys + + + +
sees 10 '(PLAY max|run over)' && sees 10 'blocked [1-9]'
verdict "+ makes it faster" $?

mux resize-window -x 20 -y 5
sees 10 '^ ?srv ' && [ "$(screen | wc -l)" -le 5 ]
verdict "it fits into 20x5" $?

mux resize-window -x 1 -y 1
mux resize-window -x 100 -y 30
sees 10 'blocked [1-9]' && sees 10 ' (EVENTS|BY MODEL|END)'
verdict "and comes back from 1x1" $?

sees 60 'run over'
verdict "the run ends" $?

keys q && sees 10 '^ SERVERS' && keys q
sees 10 'what do you want to see' && keys q
ended 0
verdict "q leads to the list, there it gives the terminal back" $?

start
sees 10 '= job 0'
keys C-c
sees 10 'again within a second quits'
verdict "Ctrl-C does not kill" $?
keys C-c C-c
ended 0
verdict "twice it quits" $?

start
sees 10 '= job 0'
keys Space
sees 10 'job [1-9]'
kill -TERM "$(child)"
sees 10 'ended with 143' && ended 143
verdict "killed while it plays, it gives the terminal back" $?

start
sees 10 '= job 0'
kill -ABRT "$(child)"
ended 134
verdict "so it does when it crashes" $?

scenario='' start
sees 10 'what do you want to see' && sees 10 '▸ +(tour|pac-ml-32)' && sees 10 'SERVERS 4 groups' &&
    keys / && keys -l pac-ml-32 && keys Enter && sees 10 '= job 0' && keys 5 5 q && sees 10 '= job 0' &&
    keys -l ':open zones' && keys Enter && sees 10 'zones +policy zone' && keys q && sees 10 'what do you want' &&
    keys Home Enter && sees 10 'tour, 1 of 7' && keys Escape && sees 10 'the tour is left' && keys Q &&
    ended 0
verdict "without a scenario one is chosen from a list, with a picture; q, :open and Q lead on" $?

scenario='' start
sees 10 'what do you want to see' && keys q && ended 0
verdict "q leaves the list, and the terminal as it was" $?

start NO_COLOR=1
sees 10 '= job 0' && ! mux capture-pane -pe | grep -q $'\033\\[[0-9;]*[34]8;5'
verdict "NO_COLOR means no colour" $?

start LC_ALL=C
sees 10 '= job 0' && ! screen | LC_ALL=C grep -q '[^ -~]'
verdict "without UTF-8 it is ASCII" $?

start TERM=vt100
sees 10 '= job 0'
verdict "a terminal without colours will do" $?

start TERM=no-such-terminal
sees 10 '= job 0' && sees 10 'TERM is "no-such-terminal"'
verdict "an unknown terminal is named" $?

exit $failed

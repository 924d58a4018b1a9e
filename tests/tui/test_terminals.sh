#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Kinds of terminals (tmux): with 8, 16, 256 and no colours, without UTF-8, without a cursor that can
# be placed; a storm of resizes; suspended and resumed; ended by every signal that may come, and by a
# terminal that goes away. Waits for what should be seen, never for a time.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
case $program in /*) ;; *) program=$PWD/$program ;; esac
if ! command -v tmux >/dev/null; then
    echo "skip terminals: tmux is not installed"
    exit 0
fi
if [ ! -x "$program" ]; then
    echo "skip terminals: there is no program $program"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/terminals.XXXXXX") || exit 1
socket=terminals-$$ number=0 failed=0 config=
: >"$work/tmux.conf"
mux() { tmux -L "$socket-$number" -f "$work/tmux.conf" "$@" 2>/dev/null; }
trap 'mux kill-server; rm -rf "$work"' EXIT

screen() { mux capture-pane -p; }
# until SECONDS COMMAND...: polls until the command succeeds
until_ok() {
    local end=$((SECONDS + $1 + 1))
    shift
    while [ $SECONDS -le $end ]; do
        "$@" && return 0
        sleep 0.05
    done
    return 1
}
shows() { screen | grep -qE -- "$1"; }
sees() { until_ok 60 shows "$1"; } # much, for a busy machine
keys() { mux send-keys "$@"; }
verdict() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok terminals: $1"
    else
        screen | sed 's/^/# /'
        echo "not ok terminals: $1"
        failed=1
    fi
}
# start [VARIABLE=VALUE...] [-- OPTION...]
start() {
    local set=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        set+=("$1")
        shift
    done
    [ $# -eq 0 ] || shift
    mux kill-server
    number=$((number + 1))
    cat >"$work/run" <<END
cd '$PWD'
stty -g >'$work/before'
env XDG_STATE_HOME='$work/state' LC_ALL=C.UTF-8 ${set[*]:-} '$program' scenarios/pac-ml-32.json --no-autosave $* 2>'$work/err'
echo "ended with \$?"
stty -g >'$work/after'
touch '$work/done'
exec cat
END
    rm -f "$work/done" "$work/before" "$work/after"
    printf '%s\n' "${config:+set -g window-style \"$config\"}" >"$work/tmux.conf"
    mux new-session -d -x 100 -y 30 bash --norc --noprofile "$work/run"
}
is_done() { [ -e "$work/done" ]; }
# ended STATUS: so it ended, and the terminal is as it was
ended() {
    sees "ended with $1" && until_ok 40 is_done && cmp -s "$work/before" "$work/after" &&
        [ "$(mux display-message -p '#{alternate_on}#{cursor_flag}')" = 01 ]
}
child() { pgrep -f -P "$(mux display-message -p '#{pane_pid}')" -- "$program" | head -n 1; }
colours() { mux capture-pane -pe | grep -ao $'\033\[[0-9;]*m'; }
# knows TERM: says what is not tried because the terminal is unknown here
knows() {
    TERM=$1 tput cols >/dev/null 2>&1 && return
    echo "skip terminals: $1 is not in the terminfo of this machine"
    return 1
}

# --- colours ---

for kind in screen linux; do
    knows "$kind" || continue
    start "TERM=$kind"
    sees '= job 0' && colours | grep -qE '\[3[1-7]m' && ! colours | grep -q '8;5;'
    verdict "$kind: eight colours, the terminal's own" $?
    keys Q
    ended 0
    verdict "$kind: q gives the terminal back" $?
done
for kind in xterm-16color rxvt-16color; do
    knows "$kind" || continue
    start "TERM=$kind"
    sees '= job 0' && ! colours | grep -q '8;5;'
    verdict "$kind: sixteen colours" $?
done
start TERM=xterm-256color
sees '= job 0' && colours | grep -q '38;5;'
verdict "256 colours where there are so many" $?
for kind in vt100 vt220; do
    knows "$kind" || continue
    start "TERM=$kind"
    sees '= job 0' && sees '▸ +2 ' && ! colours | grep -qE '\[[34][0-7]m|8;5' &&
        keys ']' && sees '▸ STARTS' && keys Q && ended 0
    verdict "$kind: without colours all is there, by sign and weight" $?
done
start TERM=xterm-256color NO_COLOR=1
sees '= job 0' && ! colours | grep -qE '\[[34][0-7]m|8;5'
verdict "NO_COLOR: none" $?
start TERM=xterm-256color NO_COLOR=
sees '= job 0' && colours | grep -q '38;5;'
verdict "an empty NO_COLOR is no wish" $?

# --- characters ---

for locale in C POSIX; do
    start "LC_ALL=$locale"
    sees 'DECISION A = job 0' && ! screen | LC_ALL=C grep -q '[^ -~]'
    verdict "LC_ALL=$locale: ASCII" $?
done
start -- --ascii
sees 'DECISION A = job 0' && ! screen | LC_ALL=C grep -q '[^ -~]'
verdict "--ascii wins over a locale with more" $?
start TERM=dumb
ended 2 && grep -q 'TERM is "dumb".*--plain' "$work/err"
verdict "a terminal whose cursor cannot be placed is told of --plain" $?

start TERM=nonsense-256color
sees 'TERM is "nonsense-256color", which this machine does not know: taken for xterm-256color'
verdict "a terminal that is unknown here is taken for a usual one, and that is said" $?
keys Q
ended 0
verdict "and is given back" $?
start TERM=
ended 2 && grep -q 'the terminal type "" is not known: set TERM' "$work/err"
verdict "no TERM is an error" $?

# --- the background ---

# theme NAME WHY: what :about says
theme() {
    sees '= job 0' && keys :about Enter && sees "background  $2: theme $1" && keys Escape
}
start
theme dark 'not known, taken for dark'
verdict "a terminal that does not say its background is taken for dark" $?
start 'COLORFGBG="0;15"'
theme light 'light, COLORFGBG says'
verdict "COLORFGBG may say that it is light" $?
start 'COLORFGBG="0;15"' -- --theme dark
sees '= job 0' && keys :about Enter && sees 'screen +100 x 30' && ! shows background
verdict "a theme that was chosen stays, and nobody asks" $?
config='bg=#fdf6e3,fg=#000000'
start
theme light 'light, the terminal says'
verdict "a terminal that says that it is light has the light theme" $?
config=

# --- what is no key ---

bytes() { keys -H "$@"; }
start
sees 'DECISION A = job 0'
before=$(screen)
bytes 1b 5b 49                                     # the window has the focus
bytes 1b 5b 4f                                     # and has it no longer
bytes 1b 5d 31 31 3b 72 67 62 3a 30 2f 30 2f 30 07 # a colour
bytes 1b 5b 3f 36 32 3b 34 63                      # what the terminal is
bytes 1b 50 31 24 72 30 6d 1b 5c                   # a string
bytes 1b 5b 31 3b 35 50                            # a key with a modifier that means nothing here
[ "$(screen)" = "$before" ] && keys :about Enter && sees 'about, Esc closes' && keys Escape && sees 'DECISION A = job 0'
verdict "reports of the terminal are no keys" $?
bytes 1b 5b
bytes 43 # the right arrow in two pieces: on the time line
sees 'STARTS|t [1-9]|job 1' || shows 't 0.00[1-9]'
verdict "an arrow key in two pieces is one" $?
start
sees 'DECISION A = job 0'
printf 'n\nn' | mux load-buffer - && mux paste-buffer -p
sees '3 characters pasted; : types a command that takes them' && shows 'DECISION A = job 0'
verdict "what is pasted is no keys" $?
keys : && mux paste-buffer -p && sees '^:n n'
verdict "and goes into the line that is typed, without its controls" $?
keys Escape :
bytes 1b 5b 32 30 30 7e 61 1b 5d 31 62 1b 5b 32 30 31 7e # in it an Esc that begins a string
sees '^:a.?1b *$' && keys z && sees '^:a.?1bz'
verdict "what is pasted cannot hide its end" $?
keys Escape Escape Q
ended 0
verdict "afterwards the terminal is given back" $?

# --- sizes ---

start
sees '= job 0'
for size in '1 1' '20 5' '200 60' '3 40' '80 24' '300 2' '7 7' '20 5' '1 60' '119 33' '40 12' '2 2'; do
    for _ in 1 2 3; do
        set -- $size
        mux resize-window -x "$1" -y "$2"
        mux resize-window -x "$(($1 + 3))" -y "$(($2 + 1))"
        keys n ']' Tab ? Escape
    done
done
mux resize-window -x 20 -y 5
sees '^ ?srv ' && [ "$(screen | wc -l)" -le 5 ]
verdict "after a storm of resizes it fits into 20x5" $?
keys 6 Down Enter 4 7 Left : x Escape '`' 1 Enter Escape e / d Enter Escape 0
mux resize-window -x 100 -y 30
keys Escape Escape Escape 0
sees '^ SERVERS' && sees ' (events|EVENTS) ─+' && sees ' list'
verdict "and is whole again at 100x30" $?
keys Q
ended 0
verdict "Q ends it" $?

# --- signals ---

# As a job of a shell: only then can it be stopped.
mux kill-server
number=$((number + 1))
mux new-session -d -x 100 -y 30 bash --norc --noprofile -i
keys -l "PS1='sh> '; clear; XDG_STATE_HOME='$work/state' LC_ALL=C.UTF-8 '$program' scenarios/pac-ml-32.json --no-autosave"
keys Enter
sees '= job 0'
keys C-z
sees 'Stopped' && sees '^sh>' && [ "$(mux display-message -p '#{alternate_on}#{cursor_flag}')" = 01 ]
verdict "Ctrl-Z stops it, and leaves the screen to the shell" $?
mux resize-window -x 90 -y 26
keys -l fg
keys Enter
sees '= job 0' && keys ']' && sees '▸ STARTS' && sees '^ SERVERS' && [ "$(screen | wc -l)" -eq 26 ]
verdict "fg brings it back, at the size that the terminal has now" $?
keys Q
sees '^sh>' && [ "$(mux display-message -p '#{alternate_on}#{cursor_flag}')" = 01 ]
verdict "and q gives the terminal back" $?
for pair in HUP:129 TERM:143 SEGV:139 BUS:135 FPE:136 QUIT:131; do
    start
    sees '= job 0' && keys + + + + + + Space && sees 'job [1-9]'
    kill "-${pair%:*}" "$(child)"
    ended "${pair#*:}"
    verdict "SIG${pair%:*} while it plays: the terminal is as it was" $?
done
start
sees '= job 0'
pid=$(child)
mux kill-server
gone() { ! kill -0 "$1" 2>/dev/null; }
until_ok 40 gone "$pid"
verdict "a terminal that goes away takes it along" $?

# --- at rest ---

start
sees '= job 0'
keys n
sees 'B in [0-9].* 7 of 7' # the frames have gone by
keys ']'
sees '▸ STARTS'
keys n
sees 'C in [0-9].* 7 of 7'
pid=$(child)
if [ -r "/proc/$pid/status" ]; then
    switches() { awk '/ctxt_switches/ { n += $2 } END { print n }' "/proc/$pid/status"; }
    rests() {
        local before
        before=$(switches)
        sleep 0.3
        [ "$before" = "$(switches)" ]
    }
    until_ok 40 rests
    verdict "when the frames have gone by it does nothing at all" $?
fi
exit $failed

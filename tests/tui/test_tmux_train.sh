#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `lightpath train --live` in a real terminal (tmux): draws while it trains, answers keys, resizes,
# stops with what is kept told, goes on, and refuses where there is no terminal. Waits for what
# should be seen, never for a time.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
if ! command -v tmux >/dev/null; then
    echo "skip tmux train: it is not installed"
    exit 0
fi
if [ ! -x "$program" ]; then
    echo "skip tmux train: there is no program $program"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/tmux-train.XXXXXX") || exit 1
terminals=0
mux() { tmux -L "lightpath-train-$$-$terminals" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null; rm -rf "$work"' EXIT
failed=0

screen() { mux capture-pane -p 2>/dev/null; }
# sees SECONDS PATTERN: polls until the screen matches; four times as long on a busy machine's account
sees() {
    local end=$((SECONDS + 4 * $1 + 1))
    while [ $SECONDS -le $end ]; do
        screen | grep -qE -- "$2" && return 0
        sleep 0.05
    done
    return 1
}
verdict() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok tmux train: $1"
    else
        screen
        echo "not ok tmux train: $1"
        failed=1
    fi
}
# shell OPTION...: a training of the options in a shell that says how it ended
shell() {
    cat >"$work/run" <<END
cd '$PWD'
env XDG_CONFIG_HOME='$work' '$program' train scenarios/pac-ml-32.json --live --out '$work/W.json' \
    --until '1e5 s' --threads 1 --param envs=8 --param rollout=64 $*
echo "ended with \$?"
exec cat
END
    mux kill-server 2>/dev/null
    terminals=$((terminals + 1)) # a server that is still dying answers on its old socket
    mux new-session -d -x 100 -y 30 bash --norc --noprofile "$work/run"
}

"$program" train scenarios/pac-ml-32.json --live --out "$work/W.json" </dev/null >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q -- '--live needs a terminal' "$work/out" && [ ! -e "$work/W.json" ]
verdict "without a terminal it is refused" $?

shell --steps 100000000 --curve "'$work/c.jsonl'" --param checkpoint_every=2
sees 60 'update [0-9]+ .*decisions' && sees 10 'reward ' && sees 10 'entropy ' &&
    sees 10 '[0-9] decisions/s +ETA [0-9]'
verdict "curves are drawn while it trains" $?

mux resize-window -x 80 -y 24
sees 10 '^ ppo seed=1 .*~$' && [ "$(screen | wc -l)" -eq 24 ]
verdict "it takes another size" $?

mux send-keys '?'
sees 10 'choose a chart'
verdict "? tells the keys" $?

mux send-keys Up Enter
sees 10 '▸step size 0' && ! screen | grep -q entropy
verdict "a chart is shown alone" $?

mux send-keys q
sees 60 'ended with 0' && sees 10 'stopped after update [0-9]+: ' && screen | tr -d '\n' | grep -q 'checkpoint keeps'
verdict "q stops after the present update and tells what is kept" $?

lines=$(wc -l <"$work/c.jsonl")
last=$(screen | tr -d '\n' | sed -n 's/.*stopped after update \([0-9]*\):.*/\1/p')
[ "$lines" -eq "${last:-0}" ] && [ -s "$work/W.json.checkpoint" ]
verdict "all updates are in the file of the curve" $?

shell --steps 100000000 --resume --curve "'$work/c.jsonl'" --param checkpoint_every=2 --ascii \
    --theme light
sees 60 'update [0-9]+ .*decisions' && mux send-keys m && sees 60 'ended with 0' &&
    screen | tr -d '\n' | grep -q 'checkpoint keeps all' && [ "$(wc -l <"$work/c.jsonl")" -gt "$lines" ]
verdict "it goes on, and m stops with nothing lost" $?

# Ended from outside, it stops as q does: files are whole, what is kept is told.
for pair in TERM:143 HUP:129 INT:0; do
    rm -f "$work/W.json.checkpoint" "$work/c.jsonl"
    shell --steps 100000000 --curve "'$work/c.jsonl'" --param checkpoint_every=2
    sees 60 'update [1-9][0-9]* .*decisions' &&
        kill -"${pair%:*}" "$(pgrep -P "$(mux display -p '#{pane_pid}')")" &&
        sees 60 "ended with ${pair#*:}\$" && sees 10 'stopped after update [0-9]+: ' &&
        last=$(screen | tr -d '\n' | sed -n 's/.*stopped after update \([0-9]*\):.*/\1/p') &&
        [ "$(wc -l <"$work/c.jsonl")" -eq "${last:-0}" ] && [ "$(tail -c 2 "$work/c.jsonl")" = '}' ]
    verdict "SIG${pair%:*} stops it, its files whole" $?
done

rm -f "$work/W.json.checkpoint"
shell --steps 512
sees 60 'training is done; q closes' && mux send-keys q && sees 10 'ended with 0' &&
    sees 10 'the best network had a reward'
verdict "what is done stays until q" $?

head -n 20 tests/tui/curves/seed1.jsonl >"$work/grows.jsonl"
cat >"$work/run" <<END
cd '$PWD'
env XDG_STATE_HOME='$work/state' '$program' scenarios/pac-ml-32.json --no-autosave
exec cat
END
mux kill-server 2>/dev/null
terminals=$((terminals + 1))
mux new-session -d -x 100 -y 30 bash --norc --noprofile "$work/run"
sees 10 '= job 0' && mux send-keys : "learning $work/grows.jsonl" Enter &&
    sees 10 'grows.jsonl +update 20 ' && sed -n 21p tests/tui/curves/seed1.jsonl >>"$work/grows.jsonl" &&
    sees 10 'grows.jsonl +update 21 ' && rm "$work/grows.jsonl" && sees 10 'No such file'
verdict "the explorer follows a file that grows, and tells when it is gone" $?

exit $failed

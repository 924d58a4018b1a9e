#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sessions in files, from outside: written, killed, damaged, replayed, on a full disk, autosaved.
set -u
lightpath=$(realpath "${LIGHTPATH:-build/release/lightpath}")
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
export XDG_STATE_HOME=$dir/state
failed=0 count=0
result() { # STATUS NAME
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2" && failed=1; fi
}
lp() {
    "$lightpath" "$@" >out 2>err
    status=$?
}
keys() { # FILE ARGS...: plays a script from standard input
    cat >script
    lp "$@" --keys script --save-screen screen --size 100x30
}

# --- written and replayed ------------------------------------------------------------------------
keys pac-ml-32 <<'END'
:write a.session
n*9
:fork degree=4
n*4
:branch main
n*3
END
[ $status -eq 0 ] && [ "$(stat -c %a a.session)" = 600 ]
result $? "a session is written, for its owner only"
! grep -q "$root\|$dir\|/home" a.session
result $? "it names no folder"
lp replay a.session
[ $status -eq 0 ] && [ ! -s err ] && [ "$(grep -c '^branch ' out)" -eq 2 ]
result $? "its branches are replayed"
lp replay a.session --verify --json
[ $status -eq 0 ] && grep -q '"verified":true,"difference":null,"damage":null' out
result $? "and verified"
mkdir elsewhere && cp a.session elsewhere && cd elsewhere
LIGHTPATH_DATA=$dir/elsewhere lp replay a.session --verify
[ $status -eq 0 ]
result $? "anywhere"
cd ..
lp run a.session
[ $status -eq 2 ] && grep -q "is a session, expected a scenario" err
result $? "it is no scenario"
lp a.session --seed 4 --save-screen -
[ $status -eq 2 ] && grep -q "opened as it was" err
result $? "it is opened as it was"
lp a.session --save-screen - --size 100x30
[ $status -eq 0 ] && grep -q "main" out && grep -q "d9 degree=4" <<<"$(printf ':view branches\n' >script; lp a.session --keys script --save-screen - --size 100x30; cat out)"
result $? "it opens where it was left, with its branches"
keys a.session <<'END'
n*3
:write
:policy srpt
n*2
END
[ $status -eq 0 ] && lp replay a.session --verify && [ "$(grep -c '^branch ' out)" -eq 3 ]
result $? "it is gone on with"

# --- where it may be written ---------------------------------------------------------------------
echo precious >precious
ln -s precious link
ln -s a.session other
keys pac-ml-32 <<<':write precious'
[ $status -eq 1 ] && [ "$(cat precious)" = precious ]
result $? "another file stays"
keys pac-ml-32 <<<':write link'
[ $status -eq 1 ] && [ "$(cat precious)" = precious ]
result $? "so does one behind a link"
cp a.session before
keys pac-ml-32 <<<':write other'
[ $status -eq 1 ] && [ -L other ] && cmp -s a.session before && grep -q "is a link" err
result $? "a link to a session is not followed, either"
keys pac-ml-32 <<<':write none/such'
[ $status -eq 1 ] && ! ls -A | grep -q '^\.lightpath-'
result $? "no such folder"

# --- differences ---------------------------------------------------------------------------------
# rewrites a session with other numbers and the right hashes, as another version might have
lp replay a.session --verify --json
sed 's/"payload":\[4,-1,0\]/"payload":[2,-1,0]/' a.session >changed.session
lp replay changed.session --verify
[ $status -eq 1 ] && grep -q "is damaged" err
result $? "what was changed by hand is damaged"

# --- damage --------------------------------------------------------------------------------------
lines=$(wc -l <a.session)
head -c -40 a.session >cut.session
lp replay cut.session --verify
[ $status -eq 0 ] && grep -q "cut.session:$lines: the line is cut off; the $((lines - 1)) lines" err
result $? "a last line that is cut off is no harm"
{ sed -n 1,20p a.session && sed -n '20,$p' a.session; } >twice.session
lp replay twice.session
[ $status -eq 1 ] && grep -q "twice.session:21: the line is damaged" err
result $? "a line that is there twice is"
sed '1s/"lightpath-session":1/"lightpath-session":2/' a.session >new.session
lp replay new.session
[ $status -eq 2 ]
result $? "another format is refused"
head -1 a.session >head.session
lp replay head.session
[ $status -eq 2 ] && grep -q "has no branch" err
result $? "a head is no session"
for file in /dev/zero /dev/null . "$root/scenarios/pac-ml-32.json" none; do
    lp replay "$file"
    [ $status -eq 2 ]
    result $? "$file is none, either"
done

# --- moments -------------------------------------------------------------------------------------
keys pac-ml-32 --seed 3 --set generator.count=90 <<'END'
n*9
:fork degree=4
n*4
:policy acceptable_jct
n*3
:yank moment line
END
[ $status -eq 0 ] && grep -q "^lightpath pac-ml-32 --seed 3 --set generator.count=90 --at d9 --fork degree=4" line
result $? "a moment is yanked"
echo about >about.keys
lightpath() { lp "$@" --keys about.keys --save-screen - --size 160x30; }
eval "$(cat line)"
[ $status -eq 0 ] && grep -q "hash *$(grep -o 'state=[0-9a-f]*' line | cut -c7-14)" out && ! grep -q "not as it was" out
result $? "and opened again: the same state"
lightpath() { lp "$@" --save-screen - --size 160x30; }
eval "$(sed 's/count=90/count=91/' line)"
[ $status -eq 0 ] && grep -q "not as it was: the scenario or a graph was changed" out
result $? "what is not as it was is said"
lp pac-ml-32 --expect nonsense --save-screen -
[ $status -eq 2 ]
result $? "other words are refused"
keys a.session <<<':yank moment line2'
eval "$(tail -1 line2)"
[ $status -eq 0 ] && grep -q "^lightpath a.session --branch" line2 && ! grep -q "not as it was" out
result $? "a moment of a session in a file"

# --- killed --------------------------------------------------------------------------------------
# Each step is in the file before the next begins: what is lost is one decision at most. The script
# notes how far it is on a screen that is saved after every ten decisions.
for i in $(seq 400); do echo "n"; [ $((i % 10)) -eq 0 ] && echo ":save-screen $dir/far"; done >long
ok=0
for delay in 0.02 0.05 0.09 0.14 0.2 0.3; do
    rm -f killed.session far
    { echo ":write killed.session"; cat long; } >script
    "$lightpath" pac-ml-32 --set generator.count=2000 --keys script --save-screen screen 2>/dev/null &
    pid=$!
    sleep $delay
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ -s killed.session ] || continue
    lp replay killed.session --verify --json
    [ $status -eq 0 ] || ok=1
    seen=$(grep -o "job [0-9]* of" far 2>/dev/null | grep -o "[0-9]*")
    kept=$(grep -o '"decisions":[0-9]*' out | head -1 | grep -o "[0-9]*")
    kept=${kept:-$(grep -c '"subject"' killed.session)}
    [ -z "$seen" ] || [ "$kept" -ge $((seen - 1)) ] || { echo "# seen $seen, kept $kept" && ok=1; }
done
result $ok "whenever it is killed, all but the last decision is there"

# --- a full disk ---------------------------------------------------------------------------------
rm -f screen
cat >script <<'END'
:write full.session
n*300
:expect not saved (:write tries again): cannot write full.session
END
(
    trap '' XFSZ
    ulimit -f 64
    "$lightpath" pac-ml-32 --keys script --save-screen screen --size 160x40 >out 2>err
)
[ $? -eq 1 ] && [ ! -e screen ] && grep -q "lightpath: cannot write full.session: File too large" err
result $? "on a full disk the run goes on, and the screen says so, and so does the exit status"
lp replay full.session --verify
[ $status -eq 0 ]
result $? "what was saved before is good"
cat >script <<'END'
:write full.session
n*300
END
lp full.session --keys script --save-screen screen
lp replay full.session --verify
[ $status -eq 0 ] && [ "$(stat -c %s full.session)" -gt 66000 ]
result $? "with room it is saved again"

# --- two of them ---------------------------------------------------------------------------------
# The first goes on for long; what the second does is told apart by the file.
{ echo ":write two.session"; echo "n*100000"; } >first
"$lightpath" pac-ml-32 --set generator.count=90000 --keys first --save-screen screen1 2>err1 &
pid=$!
while kill -0 $pid 2>/dev/null && [ ! -s two.session ]; do read -rt 0.01 <> <(:) || true; done
keys two.session <<<':write'
[ $status -eq 1 ] && grep -q "cannot write two.session: process $pid is writing it: expected another name\|has been changed since" err
result $? "a session that another process writes is not written"
keys pac-ml-32 <<<':write two.session'
[ $status -eq 1 ] && grep -q "cannot write two.session: process $pid is writing it: expected another name" err
result $? "nor is it from elsewhere"
lp two.session --save-screen - --size 160x30
[ $status -eq 0 ] && grep -q "process $pid is writing this session: here is a copy" out
result $? "who opens it is told"
keys two.session <<<':write mine.session'
[ $status -eq 0 ] && lp replay mine.session && [ $status -eq 0 ]
result $? "and can save a copy"
kill -9 $pid
wait $pid 2>/dev/null
keys two.session <<<':write'
[ $status -eq 0 ]
result $? "a process that was killed holds nothing"

# --- by itself -----------------------------------------------------------------------------------
keys pac-ml-32 <<<'n*5'
[ $status -eq 0 ] && [ ! -e state ]
result $? "key scripts save nothing by themselves"
if command -v script >/dev/null; then
    # painted FILE SIZE: waits until a terminal was sent so much: a screen
    painted() {
        local end=$((SECONDS + 30))
        while [ "$(stat -c %s "$1")" -lt "$2" ] && [ $SECONDS -le $end ]; do sleep 0.05; done
    }
    play() { # KEYS ARGS...: in a terminal
        local keys=$1
        shift
        : >out
        { painted out 1500; printf '%s' "$keys"; sleep 0.3; printf Q; sleep 0.3; } |
            SHELL=/bin/sh TERM=xterm-256color timeout 60 script -qefc "'$lightpath' $*" /dev/null >>out 2>&1
    }
    play nnn pac-ml-32
    saved=$(ls state/lightpath)
    [ "$saved" = pac-ml-32-1.session ] && [ "$(stat -c %a state/lightpath)" = 700 ]
    result $? "in a terminal the session is saved"
    grep -q "the session is in .*pac-ml-32-1.session" out
    result $? "and it is said where"
    lp replay "state/lightpath/$saved" --verify
    [ $status -eq 0 ] && tail -1 "state/lightpath/$saved" | grep -q '"is":"end"'
    result $? "it is whole"
    play nnn pac-ml-32 --no-autosave
    [ "$(ls state/lightpath | wc -l)" -eq 1 ]
    result $? "unless it is not to"
    play nn pac-ml-32
    [ "$(ls state/lightpath)" = pac-ml-32-2.session ]
    result $? "one in which nothing was done makes room for the next"
    play 'n:fork degree=1 name=mine
' pac-ml-32
    play nn pac-ml-32
    play nn ideal-loss
    [ "$(ls state/lightpath | tr '\n' ' ')" = "ideal-loss-5.session pac-ml-32-3.session pac-ml-32-4.session " ]
    result $? "one in which something was done stays, and each scenario has its own"
    : >out
    { painted out 1500; printf '\033[F'; sleep 0.5; printf q; sleep 0.3; } | SHELL=/bin/sh TERM=xterm-256color timeout 60 script -qefc "stty rows 50 cols 120; '$lightpath'" /dev/null >>out 2>&1
    grep -aqE "$(date +%m)-[0-9]{2} [0-9:]{5}  [0-9.]* m?s  2 br\." out && grep -aqE "[0-9:]{5}  [0-9.]* m?s  1 br\." out
    result $? "the list tells when, where, and how many branches"
    rm state/lightpath/*
    play nnn pac-ml-32
    saved=$(ls state/lightpath)
    for n in $(seq 2 30); do cp "state/lightpath/$saved" "state/lightpath/pac-ml-32-$n.session"; done
    play n pac-ml-32
    [ "$(ls state/lightpath | wc -l)" -eq 20 ] && [ -e state/lightpath/pac-ml-32-31.session ] &&
        [ ! -e state/lightpath/pac-ml-32-10.session ] # 30 was only played
    result $? "the last twenty are kept"
    sed -i '$d' state/lightpath/pac-ml-32-31.session
    play "" pac-ml-32
    grep -q "did not end well" out
    result $? "a session that did not end well is offered"
    chmod 777 state/lightpath
    play nn pac-ml-32
    grep -q "not saved" out && [ "$(ls state/lightpath | wc -l)" -eq 20 ]
    result $? "a folder that others can write to is not trusted"
fi
echo "1..$count"
exit $failed

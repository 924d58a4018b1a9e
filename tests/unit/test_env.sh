#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `lightpath env` from outside: a whole episode by lines of JSON, the same bytes for the same seed,
# hostile requests, and the Python client where there is a python3. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-env.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
scenario=$root/scenarios/published-32.json

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  out: /' out | cut -c1-300 | tail -n 12
        sed 's/^/  err: /' err | head -n 12
        echo "not ok $2"
        failed=1
    fi
}
: >out >err
# serve FLAGS...: answers the file `in`
serve() {
    "$lightpath" env "$scenario" "$@" <in >out 2>err
    status=$?
}
lines() { wc -l <out | tr -d ' '; }

# --- an episode --------------------------------------------------------------------------------------
{
    echo '{"cmd":"spec"}'
    echo '{"cmd":"reset","seed":11}'
    for i in 1 2 3 4 5 6 7 8 9 10; do
        echo '{"cmd":"step","action":4}'
        echo '{"cmd":"step","action":8,"place":"best_fit"}'
        echo '{"cmd":"step","action":2,"place":"least_fragmenting","observe":false}'
    done
    echo '{"cmd":"summary"}'
    echo '{"cmd":"close"}'
} >in
serve
[ $status -eq 0 ] && [ ! -s err ] && [ "$(lines)" -eq 34 ] && ! grep -qv '^{"ok":true' out
result $? 'an episode is served'
cp out first
serve
cmp -s out first
result $? 'the same requests give the same bytes'
sed 's/"seed":11/"seed":12/' in >in2 && mv in2 in
serve
! cmp -s out first
result $? 'another seed gives another episode'
# what the first episode was does not matter to the second
printf '%s\n' '{"cmd":"reset","seed":3}' '{"cmd":"step","action":16}' '{"cmd":"reset","seed":9}' '{"cmd":"step","action":4}' >in
serve
tail -n 2 out >second
printf '%s\n' '{"cmd":"reset"}' '{"cmd":"step","action":4}' >in
serve --seed 9
cmp -s out second
result $? 'episodes do not know of each other'
printf '{"cmd":"reset"}\n{"cmd":"reset"}' >in
serve --seed 5
grep -q '"seed":5' out && grep -q '"seed":6' out
result $? 'each reset takes the next seed; a last line needs no newline'

# --- names of the features -----------------------------------------------------------------------------
printf '%s\n' '{"cmd":"spec"}' >in
serve --encoding corrected
grep -q '"feature_names":\["ops of the job",.*"open\[0\]",.*"open\[16\]"\],"node_feature_names":\["time",' out
result $? 'the features have names'
"$lightpath" env --features >out 2>err && grep -q '^| each action | open | both |' out && [ ! -s err ]
result $? 'and are explained in a table'
"$lightpath" env >out 2>err
[ $? -eq 2 ] && grep -q 'expects SCENARIO' err
result $? 'without a scenario nothing is served'

# --- the leaderboard --------------------------------------------------------------------------------------
cp "$root/scripts/pac_ml_d.json" net.json && cp "$root/scripts/max_parallelism.lua" rule.lua
"$lightpath" env --leaderboard --zoo --betas AD --until 2e3 no rule.lua:max_degree=4 net.json >out 2>err
[ $? -eq 0 ] && grep -q '^Share of jobs lost.* Seeds 101 to 130, models of the zoo' out && [ "$(grep -c '^[123] ' out)" -eq 3 ] &&
    grep -q '^[12] *net.json  *0\.[0-9]* ' out && awk '/^[123] /{ if ($3 < last || NF != 6) exit 1; last = $3 }' out
result $? 'agents are ranked by what they lose on the test seeds'
# the same as what the experiment finds
"$lightpath" experiment pac-ml --zoo --betas D --until 2e3 --seeds 101..130 --agents no 2>err | sed -n 's/^no  *\([0-9.]*\) .*/\1/p' | head -n 1 >one
grep -q "^[123] *no .* $(cat one)$" <(sed 's/ *$//' out) && [ -s one ]
result $? 'as the experiment counts them'
for words in '' 'no --seed 3' 'nothing.json' 'gold'; do
    # shellcheck disable=SC2086
    "$lightpath" env --leaderboard --zoo $words >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && [ -s err ]
    result $? "no leaderboard of '$words'"
done

# --- rewards -------------------------------------------------------------------------------------------
printf '%s\n' '{"cmd":"reward","name":"job_acceptance","success":7}' '{"cmd":"reset","seed":1}' \
    '{"cmd":"step","action":8,"observe":false}' '{"cmd":"reward","name":"job_acceptance","fail":-3}' \
    '{"cmd":"step","action":0,"observe":false}' >in
serve --set generator.max_jct_fraction=1
grep -q '"reward":7,' out && grep -q '"reward":-3,' out
result $? 'a reward may be set'

# --- hostile requests: each is refused, and the next one is served -----------------------------------------
{
    echo '{"cmd":"step","action":1}'
    echo '{"cmd":"predict","action":1}'
    echo '{"cmd":"reset","seed":1}'
    echo ''
    echo 'nonsense'
    echo '{'
    echo '[]'
    echo 'null'
    echo '{}'
    echo '{"cmd":7}'
    echo '{"cmd":"format"}'
    echo '{"cmd":"step"}'
    echo '{"cmd":"step","action":17}'
    echo '{"cmd":"step","action":-1}'
    echo '{"cmd":"step","action":1.5}'
    echo '{"cmd":"step","action":1e300}'
    echo '{"cmd":"step","action":"4"}'
    echo '{"cmd":"step","action":4,"place":"anywhere"}'
    echo '{"cmd":"step","action":4,"servers":[]}'
    echo '{"cmd":"step","action":4,"servers":[32]}'
    echo '{"cmd":"step","action":4,"servers":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,0]}'
    echo '{"cmd":"step","action":4,"spelling":1}'
    echo '{"cmd":"reset","seed":-1}'
    echo '{"cmd":"reset","seed":18446744073709551616}'
    echo '{"cmd":"reset","observe":3}'
    echo '{"cmd":"reward","name":"gold"}'
    echo '{"cmd":"reward","name":"job_acceptance","fail":"much"}'
    printf '\001\377\n'
    printf '{"cmd":"step","action":4,"place":"\\u0000"}\n'
    head -c 3000 /dev/zero | tr '\0' '['
    echo
    printf '{"cmd":"mask","cmd":"mask"}\n'
    echo '{"cmd":"observe"}'
} >in
serve
[ $status -eq 0 ] && [ ! -s err ] && [ "$(grep -c '^{"ok":false' out)" -eq 29 ] &&
    [ "$(grep -c '^{"ok":true' out)" -eq 2 ] && [ "$(lines)" -eq 31 ]
result $? 'bad requests are answered, not obeyed'
printf '%s\n' '{"cmd":"reset","seed":1}' >in
serve
tail -n 1 out | sed 's/"cmd":"reset","seed":1,//' >fresh
for i in 1; do
    printf '%s\n' '{"cmd":"reset","seed":1}' '{"cmd":"step","action":17}' '{"cmd":"stop"}' '{"cmd":"observe"}' >in
    serve
    tail -n 1 out | sed 's/"cmd":"observe",//' | cmp -s - fresh
    result $? 'a bad request changes nothing'
done
# an action against the mask or a rule is the engine's to refuse
printf '%s\n' '{"cmd":"reset","seed":1}' '{"cmd":"step","action":3}' '{"cmd":"step","action":2,"servers":[5,5]}' '{"cmd":"step","action":2,"servers":[1]}' >in
serve
[ "$(grep -c '"cause":"refused"' out)" -eq 3 ] && [ "$(grep -c '"masked":true' out)" -eq 1 ]
result $? 'an action against the rules blocks the job'
printf '%s\n' '{"cmd":"reset","seed":1}' '{"cmd":"step","action":8}' '{"cmd":"step","action":1}' |
    "$lightpath" env "$root/scenarios/pod-64.json" >out 2>err
grep -q '"outcome":"blocked","cause":"refused".*"masked":true' out && grep -q '"outcome":"running","cause":null.*"masked":false' out
result $? 'so does a degree for a rigid job that the mask forbids'
{
    head -c 2000000 /dev/zero | tr '\0' 'x'
    echo
    echo '{"cmd":"mask"}'
} >in
serve
[ "$(lines)" -eq 2 ] && head -n 1 out | grep -q 'too long' && tail -n 1 out | grep -q '^{"ok":true'
result $? 'a line that is too long is passed over'
head -c 300000 /dev/urandom >in
serve
[ $status -eq 0 ] && ! grep -aqv '^{"ok":false' out
result $? 'noise is refused line by line'
"$lightpath" env "$scenario" <in 2>err | head -n 1 >out
[ ! -s err ]
result $? 'a reader that leaves ends it quietly'

# --- bad options -----------------------------------------------------------------------------------------
: >in
serve --reward gold
[ $status -eq 2 ] && grep -q 'the reward "gold" is unknown' err
result $? 'an unknown reward'
serve --encoding runes
[ $status -eq 2 ] && grep -q 'the encoding "runes" is unknown; expected pac-ml or corrected' err
result $? 'an unknown encoding'
serve --wait --queue shuffled
[ $status -eq 2 ] && grep -q 'the order "shuffled" is unknown; expected arrival or deadline' err
result $? 'an unknown order of the queue'
serve --queue deadline
[ $status -eq 2 ] && grep -q 'expected --wait, too' err
result $? 'an order without waiting'
"$lightpath" env - <in >out 2>err
[ $? -eq 2 ] && grep -q 'expected a scenario file' err
result $? 'requests and scenario cannot share standard input'

# --- other scenarios ---------------------------------------------------------------------------------------
for name in pac-ml-32 rigid leaf-spine optics-vs-packets ideal-loss zones; do
    scenario=$root/scenarios/$name.json
    {
        echo '{"cmd":"reset"}'
        for i in 1 2 3 4 5; do echo '{"cmd":"step","action":1}'; done
        echo '{"cmd":"step","action":0}'
        echo '{"cmd":"summary"}'
    } >in
    serve
    [ $status -eq 0 ] && [ "$(lines)" -eq 8 ] && ! grep -q 'nan\|inf[,}]' out && tail -n 1 out | grep -q '^{"ok":true'
    result $? "scenario $name"
done
scenario=$root/scenarios/published-32.json

# --- how an episode ends -------------------------------------------------------------------------------------
# the jobs have all come and gone; or the horizon cuts it
ends() { # ends WHAT NAME OPTION...
    local what=$1 name=$2
    shift 2
    { echo '{"cmd":"reset","observe":false}' && for ((i = 0; i < 40; i++)); do echo '{"cmd":"step","action":8,"observe":false}'; done; } >in
    serve "$@"
    grep -q '"done":true' out && [ "$(grep -c "\"done\":true,\"truncated\":$what}" out)" -eq 1 ] &&
        ! grep -q '"done":false,"truncated":true' out
    result $? "$name"
}
ends false 'an episode ends with its jobs' --set generator.count=30 --set horizon=1e9
ends true 'an episode is cut by the horizon' --set generator.count=1000 --set horizon=3

# --- the client in Python ----------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
    python3 "$root/docs/examples/gym_env.py" "$scenario" --program "$lightpath" --episodes 2 \
        --set generator.count=40 >out 2>err
    [ $? -eq 0 ] && [ ! -s err ] && [ "$(lines)" -eq 2 ] && grep -q '^seed 2: 40 jobs, [0-9]* blocked, return ' out
    result $? 'the Python example plays'
    for agent in smallest largest; do
        python3 "$root/docs/examples/gym_env.py" "$scenario" --program "$lightpath" --agent $agent \
            --set generator.count=40 >out.$agent 2>err
    done
    # the largest degree allowed is what max_parallelism.lua answers
    "$lightpath" run "$scenario" --policy max_parallelism.lua --set generator.count=40 --json >out 2>err
    blocked=$(sed -n 's/.*"blocked":\([0-9]*\),.*/\1/p' out | tail -n 1)
    grep -q "40 jobs, $blocked blocked" out.largest
    result $? 'an agent outside decides as the policy inside'
    # so it does on every fabric, and to the last digit
    for name in pac-ml-32 leaf-spine optics-vs-packets ideal-loss; do
        "$lightpath" run "$root/scenarios/$name.json" --policy max_parallelism.lua --seed 3 \
            --set generator.count=30 --json >run.json 2>err
        PYTHONPATH=$root/docs/examples PYTHONDONTWRITEBYTECODE=1 python3 - "$root/scenarios/$name.json" "$lightpath" >out 2>>err <<'EOF'
import json, sys
import gym_env
with gym_env.LightpathEnv(sys.argv[1], sys.argv[2], ["generator.count=30"]) as env:
    there, here = gym_env.play(env, "largest", 3), json.load(open("run.json"))["summary"]
for key in ("arrived", "completed", "blocked", "unfinished", "blocking_rate", "mean_jct"):
    if there[key] != here[key]:
        sys.exit("%s: %r there, %r here" % (key, there[key], here[key]))
EOF
        [ $? -eq 0 ] && [ ! -s err ]
        result $? "an agent outside comes to the same end on $name"
    done
    # what a user of the class does wrong is an error of its own
    PYTHONPATH=$root/docs/examples PYTHONDONTWRITEBYTECODE=1 python3 -W error - "$scenario" "$lightpath" >out 2>err <<'EOF'
import sys
import gym_env
def refused(word, call):
    try:
        call()
    except gym_env.LightpathError as error:
        assert word in str(error), error
    else:
        sys.exit("not refused: " + word)
refused("has ended (exit code 2)", lambda: gym_env.LightpathEnv("nothing.json", sys.argv[2]))
env = gym_env.LightpathEnv(sys.argv[1], sys.argv[2])
refused("expected a reset first", lambda: env.step(1))
env.reset(seed=2)
refused("does not exist", lambda: env.step(99))
for action in (4.5, "4"):
    try:
        env.step(action)
        sys.exit("a degree of %r" % action)
    except (TypeError, ValueError):
        pass
assert env.step((4, "best_fit"))[4]["job"] == 0 and env.step([4, 1])[4]["job"] == 1
env.process.kill()
refused("has ended (exit code -9)", lambda: [env.step(1) for _ in range(3)])
env.close()
env.close()
refused("closed", lambda: env.step(1))
EOF
    [ $? -eq 0 ] && ! grep -v '^lightpath: nothing.json\|^nothing.json' err >out
    result $? 'the Python class tells errors'
else
    echo 'skip the client in Python: there is no python3'
fi

# --- ended from outside ------------------------------------------------------------------------------
mkfifo ask unread
rest() { read -rt 0.02 <> <(:) || true; }
# begin FILE: starts env with what `ask` brings, its answers to FILE, and has one answered
begin() {
    [ -p "$1" ] || : >"$1" # what the one before wrote is no answer
    exec 3<>ask
    "$lightpath" env "$scenario" <ask >"$1" 2>err &
    pid=$!
    echo '{"cmd":"reset","seed":11,"observe":false}' >&3
}
# ends SIGNAL: its status in $status; 99 if it had to be killed
ends() {
    local ended=99 i
    kill -"$1" $pid
    for ((i = 0; i < 500; i++)); do
        kill -0 $pid 2>/dev/null || { ended=0 && break; }
        rest
    done
    [ $ended -eq 0 ] || kill -KILL $pid
    wait $pid
    status=$?
    exec 3>&-
}
for pair in TERM:143 INT:130 HUP:129; do
    begin out
    until grep -q '"ok":true' out; do kill -0 $pid || break; rest; done
    ends ${pair%:*}
    [ "$status" -eq ${pair#*:} ] && [ "$(lines)" -eq 1 ] && [ ! -s err ]
    result $? "${pair%:*} ends one that waits for a request, with its code"
done
begin out
yes '{"cmd":"reset"}' >&3 &
writer=$!
until [ "$(lines)" -gt 1 ]; do kill -0 $pid || break; rest; done
ends TERM
kill $writer 2>/dev/null
[ "$status" -eq 143 ] && [ "$(tail -c 2 out)" = '}' ] && ! grep -qv '^{"ok":true.*}$' out
result $? "TERM at work: the answers so far are whole lines"
# fill: answers that nobody reads, until the pipe is full and the program waits
fill() {
    local i
    for ((i = 0; i < 40; i++)); do echo '{"cmd":"graphs"}'; done >&3
    for ((i = 0; i < 20; i++)); do rest; done
    until grep -q '^State:[[:space:]]*S' "/proc/$pid/status"; do kill -0 $pid || break; rest; done
}
{ until [ -e go ]; do rest; done && cat; } <unread >got &
reader=$!
begin unread
fill
kill -TERM $pid
: >go
ends 0
wait $reader
[ "$status" -eq 143 ] && [ "$(tail -c 2 got)" = '}' ] && ! grep -qv '^{"ok":true.*}$' got
result $? "TERM where the reader is late: answers that were begun come whole"
exec 4<>unread
begin unread
fill
ends TERM
exec 4>&-
[ "$status" -eq 143 ]
result $? "TERM where nobody reads the answers"
exit $failed

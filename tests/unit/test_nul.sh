#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A NUL byte in any file, wherever it stands, is refused with its place, and no byte behind the text
# is read or saved. Needs $LIGHTPATH, the program; with LP_MEMCHECK=1 some of it again under valgrind (make nightly;
# every run of .ci/run does all of it with a build that has ASan).
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-nul.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
export XDG_STATE_HOME=$tmp/state XDG_CONFIG_HOME=$tmp/config
failed=0
says='a NUL byte, expected text (UTF-8)'

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  out: /' out | cut -c1-300 | tail -n 5
        sed 's/^/  err: /' err | cut -c1-300 | head -n 5
        echo "not ok $2"
        failed=1
    fi
}
: >out >err
under=
lp() {
    $under "$lightpath" "$@" >out 2>err </dev/null
    status=$?
}

# --- the files, all of which are accepted as they are ------------------------------------------------
cat >s.json <<'END'
{"lightpath":1,"name":"s","cluster":{"fabric":"ideal","ideal":{"servers":4}},
 "graphs":[{"id":"g","file":"g.txt","format":"pipedream","time_unit":"ms"}],
 "partition":{"max_degree":4},
 "jobs":[{"graph":"g","arrival":0,"steps":3},{"graph":"g","arrival":"2 ms","steps":5}]}
END
cp "$root/scenarios/graphs/two-ops.txt" g.txt
cp "$root/scenarios/graphs/small.json" small.json
cat >p.lua <<'END'
local m = require("m")
local policy = { name = 'p', api = 1 }
function policy:partition(job, cluster)
  return m.degree, 'two'
end
return policy
END
printf 'local m = {}\nm.degree = 2 -- parts\nreturn m\n' >m.lua
cp "$root/scenarios/lessons/networks/learned.json" w.json
printf 'n\nn\n:write saved\n' >k.keys
"$lightpath" keys --json >keys.json
cp "$root/themes/light.json" t.json
printf 'n\n' >one.keys

lp run s.json --policy ./p.lua
[ $status -eq 0 ]
result $? 'the files are good: a policy and what it requires'
lp run published-32 --set generator.count=3 --policy pac_ml --param weights=w.json
[ $status -eq 0 ]
result $? '... a network'
lp s.json --policy ./p.lua --keys k.keys && [ $status -eq 0 ] && lp replay saved
[ $status -eq 0 ]
result $? '... a key script, and the session that it saves'
lp keys --keymap keys.json
[ $status -eq 0 ]
result $? '... a file of keys'
lp s.json --keys one.keys --theme ./t.json
[ $status -eq 0 ]
result $? '... a theme'
lp compare s.json --policy ./p.lua --policy edf --seeds 1..2 --shard 1/1
cp out part.json
[ $status -eq 0 ] && lp merge part.json && [ $status -eq 0 ]
result $? '... a part of a batch'
lp check small.json && [ $status -eq 0 ] && lp check s.json && [ $status -eq 0 ]
result $? '... profiles'

# --- a NUL at the start, in the middle, at the end ---------------------------------------------------
# All in the shell, byte by byte: a process for each word of it would take longer than the program.
LC_ALL=C
read_file() { IFS= read -r -d '' text <"$1" || true; } # FILE without a NUL: all of it, in $text
# spoil FILE AT: over the byte at AT (from 0; behind the end: added); sets `place`, line:column.
spoil() {
    local text lines last
    read_file "$1"
    printf '%s\0%s' "${text:0:$2}" "${text:$(($2 + 1))}" >"$1"
    last=${text:0:$2}
    lines=${last//[!$'\n']/}
    last=${last##*$'\n'}
    place=$((${#lines} + 1)):$((${#last} + 1))
}
refused() { # refused FILE COMMAND...: at each place exit 2, nothing printed, one line that names it
    local file=$1 size at bad=0 good text
    shift
    read_file "$file"
    good=$text size=${#text}
    for at in 0 1 15 16 $((size / 2)) $((size - 1)) "$size"; do
        printf %s "$good" >"$file"
        spoil "$file" "$at"
        lp "$@"
        read_file err
        [ $status -eq 2 ] && [ ! -s out ] && [ "${text//[!$'\n']/}" = $'\n' ] &&
            [[ $text == *"$file:$place: $says"* ]] && continue
        [ $status -eq 2 ] && [ "$file" = saved ] && [ "$at" -lt 24 ] && # without its mark
            [[ $text == *'saved is no session'* ]] && continue
        echo "  byte $at of $size of $file, expected $place: exit $status, ${text:0:200}"
        bad=1
    done
    printf %s "$good" >"$file"
    result $bad "a NUL byte anywhere in $file: lightpath $*"
}
refused s.json run s.json
refused s.json check s.json
refused g.txt run s.json
refused g.txt check g.txt
refused g.txt import pipedream g.txt
refused small.json check small.json
refused p.lua run s.json --policy ./p.lua
refused p.lua policy check ./p.lua
refused m.lua run s.json --policy ./p.lua
refused w.json run published-32 --set generator.count=3 --policy pac_ml --param weights=w.json
refused saved replay saved
refused k.keys s.json --keys k.keys
refused keys.json keys --keymap keys.json
refused t.json s.json --keys one.keys --theme ./t.json
refused part.json merge part.json

# What is read in blocks, or kept in memory of just its size.
bad=0
for size in 255 256 4095 4096 65534 65535 65536 65537 131072; do
    for file in s.json p.lua m.lua; do
        read_file $file
        good=$text
        fill=$((size - 1 - ${#good}))
        [ $fill -gt 0 ] || continue
        printf "%s%${fill}s\0" "$good" '' >$file
        lp run s.json --policy ./p.lua
        printf %s "$good" >$file
        read_file err
        [ $status -eq 2 ] && [[ $text == *"$file:"*"$says"* ]] && continue
        echo "  $file of $size bytes: exit $status, ${text:0:200}"
        bad=1
    done
done
result $bad 'a NUL byte as the last one of files of 255 bytes to 128 KiB'

for at in 0 20 400; do
    cp s.json good
    spoil s.json $at
    "$lightpath" run - <s.json >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && grep -qF "standard input:$place: $says" err
    result $? "a NUL byte on standard input, at $at"
    cp good s.json
done
sed 's/"name":"s"/"name":"s\\u0000t"/' s.json >u.json
lp run u.json
[ $status -eq 2 ] && grep -qF 'u.json:1:25: a text must not hold a NUL (\u0000)' err
result $? '\u0000 in a text'
printf '{"lightpath_keys": 1, "keys": {"a\\u0000": "x"}}\n' >u.json
lp keys --keymap u.json
[ $status -eq 2 ] && grep -qF 'u.json:1:34: a text must not hold a NUL (\u0000)' err
result $? '... and in a key'

# --- lines: each is refused alone --------------------------------------------------------------------
printf '{"cmd":"reset","seed":1}\n{"cmd":\0"step","action":2}\n\0\n{"cmd":"spec"}\0\n{"cmd":"step","action":2}\n' |
    "$lightpath" env published-32 --set generator.count=3 >out 2>err
[ $? -eq 0 ] && [ "$(cut -c1-10 out | tr '\n' ' ')" = '{"ok":true {"ok":fals {"ok":fals {"ok":fals {"ok":true ' ]
result $? 'requests with a NUL byte are refused, the others answered'
line() { # line UPDATE
    printf '{"update": %d, "steps": %d, "episodes": 1, "reward": 0.5, "saved": false}' "$1" "$1"
}
{
    line 1 && printf '\n\0' && line 2 && printf '\n' && line 3 && printf '\0\n' && line 4 && echo
} >curve.jsonl
printf ':learning curve.jsonl\nwait 100\nexpect "line 2:1: a NUL byte, expected JSON text"\n' >l.keys
lp s.json --size 120x40 --keys l.keys
[ $status -eq 0 ]
result $? 'lines of a learning curve with a NUL byte are named'

# --- sessions ------------------------------------------------------------------------------------------
# A file of a session may be written as bytes; a NUL among them is none of a text.
printf -- '-- \377\n' | cat - p.lua >latin.lua
printf 'n\n:write bytes\n' >w.keys
lp s.json --policy ./latin.lua --keys w.keys
[ $status -eq 0 ] && grep -q '"hex":"2d2d20ff0a' bytes && lp replay bytes && [ $status -eq 0 ]
result $? 'a policy that is no UTF-8 is saved byte by byte'

# What is saved are the bytes of the files and none behind them, at every length of a block.
said() { # said TEXT-OF-A-SESSION KEY: the first text that stands behind KEY in its line, in $text
    text=${1#*"$2"}
    text=${text%%$'\n'*}
    text=${text#*'"text":"'}
    text=${text%%\"*}
    printf -v text %b. "${text//\\\//\/}"
}
read_file p.lua
whole=${text//\"/\'} # a text of a session without quotes is simple to read
read_file m.lua
whole_m=${text//\"/\'}
bad=0
for more in {1..33}; do
    printf -- "%s--%${more}s\n" "$whole" x >p.lua
    printf -- "%s--%${more}s" "$whole_m" y >m.lua
    rm -f bytes
    lp s.json --policy ./p.lua --keys w.keys
    read_file bytes
    session=$text
    read_file p.lua
    wanted=$text.
    said "$session" '"is":"policy"'
    if [ "$text" = "$wanted" ]; then
        read_file m.lua
        wanted=$text.
        said "$session" '"modules":'
        [ "$text" != "$wanted" ] || continue
    fi
    echo "  with $more bytes more the session has other bytes than the files"
    bad=1
done
result $bad 'a session has the bytes of its policy and of what that requires, and no others'

# --- valgrind ------------------------------------------------------------------------------------------
case ${LP_MEMCHECK:-no}:$(command -v valgrind):$lightpath in
no:*) ;;
*::*) echo 'skip nothing is read behind a text: no valgrind' ;;
*/asan/* | */tsan/* | */fuzz/*) echo 'skip nothing is read behind a text: another sanitizer is at work' ;;
*)
    under='valgrind -q --error-exitcode=9'
    refused() {
        local file=$1 expected=$2
        shift 2
        cp "$file" good
        [ "$expected" -eq 0 ] || spoil "$file" $(($(wc -c <good) / 2))
        lp "$@"
        cp good "$file"
        [ $status -eq "$expected" ]
        result $? "valgrind: nothing is read behind $file (exit $expected)"
    }
    refused m.lua 2 run s.json --policy ./p.lua
    refused saved 2 replay saved
    refused saved 0 replay saved
    ;;
esac
exit $failed

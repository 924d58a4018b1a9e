#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Key scripts: what they may say, what a mistake in one is told, and that the same keys always give
# the same screen.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
scenario=scenarios/pac-ml-32.json
if [ ! -x "$program" ]; then
    echo "skip keys: there is no program $program"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/keys.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

verdict() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok keys: $1"
    else
        cat "$work/out" "$work/err" 2>/dev/null
        echo "not ok keys: $1"
        failed=1
    fi
}

# play SCRIPT-TEXT [OPTION...]: status, out, err
play() {
    printf '%b' "$1" >"$work/script"
    shift
    "$program" "$scenario" --keys "$work/script" "$@" --save-screen "$work/out" >"$work/log" 2>"$work/err"
}

# refuses NAME SCRIPT STATUS PATTERN [OPTION...]
refuses() {
    local name=$1 script=$2 status=$3 pattern=$4
    shift 4
    play "$script" "$@"
    [ $? -eq "$status" ] && grep -qE -- "$pattern" "$work/err"
    verdict "$name" $?
}

refuses "an unknown key is named with its place" 'n\nn wrongkey\n' 2 'script:2:3: .*wrongkey'
refuses "an unknown command gets a suggestion" ':save-scren x\n' 2 'script:1:1: .*save-screen'
refuses "a command without its word" ':expect\n' 2 'script:1:1: '
refuses "a repetition of nothing" 'n*0\n' 2 'n\*0'
refuses "a time that is none" ':wait soon\n' 2 'soon'
refuses "an expectation that is not met" 'n\n:expect no such text\n' 1 'script:2:1: .*no such text'
refuses "waiting for what cannot come" ':wait-until no such text\n' 1 'script:1:1: '
refuses "a size that is none" '' 2 '100by30' --size 100by30
refuses "an unknown theme" '' 2 'dark, high-contrast, light, paper, or a file' --theme nope

refuses "a command that cannot be done" 'n\nview nowhere\n' 2 'script:2:1: there is no view "nowhere": expected main'
refuses "a command with a wrong count" ':step 0\n' 2 'script:1:1: "0" is no count'
printf '{"lightpath_theme": 1, "name": "x",\n "roles": {"bda": {}}}' >"$work/mine.json"
refuses "a theme with a mistake" '' 2 'mine.json:2:12: there is no role "bda", expected "bad"' --theme "$work/mine.json"
refuses "a live theme with a mistake" ":theme $work/mine.json\n" 2 'mine.json:2:12: there is no role'
refuses "a theme that is not there" ':theme nope\n' 2 'unknown theme "nope"'
printf '{"lightpath_keys": 1, "keys": {\n "play": "n"}}' >"$work/keys.json"
refuses "keys with a conflict" '' 2 'keys.json:2:10: the key n of "play" is that of "next-decision"' --keymap "$work/keys.json"
refuses "keys that are not there" '' 2 'none.json: No such file' --keymap "$work/none.json"
refuses "a command without its words" ':theme\n' 2 'script:1:1: a word is missing: expected theme NAME'

# --- yanking ---
rm -f "$work"/y.*
play "n*8\n:yank $work/y.txt\n3\n:yank jobs $work/y.jobs.csv\n6\n:yank $work/y.events\n:yank events $work/y.events.csv\n7\n:yank branches $work/y.branches.csv\n0\nw\n:yank pane $work/y.whatif.csv\n0\n:yank decision $work/y.decision.csv\nY t\n:expect bytes for the clipboard\n" &&
    [ "$(wc -l <"$work/y.txt")" -eq 24 ] && grep -q '^arrived\|^id' "$work/y.jobs.csv" &&
    grep -q '^event,time,kind,job,text$' "$work/y.events.csv" && [ "$(wc -l <"$work/y.events.csv")" -gt 5 ] &&
    grep -q 'starts' "$work/y.events" && ! grep -q '│' "$work/y.events" &&
    grep -q '^0,,0,.*"main"' "$work/y.branches.csv" && grep -q '^8,1,' "$work/y.decision.csv" && grep -q '^8,1,' "$work/y.whatif.csv"
verdict "panes are yanked as text and as tables" $?
play "n*30\n:view curves\n:yank curves $work/y.svg\n:expect written to\n:yank events $work/none.svg\n"; [ $? -eq 1 ] &&
    head -c 100 "$work/y.svg" | grep -q '<svg' && grep -q CURVES "$work/y.svg" && grep -q '<path' "$work/y.svg" &&
    ! grep -q 'PAUSED' "$work/y.svg" && grep -q 'the pane events is not on the screen' "$work/err" && [ ! -e "$work/none.svg" ]
verdict "a pane is yanked as a picture of its own" $?
play "n*30\n:yank curves $work/y.curves.csv\n:expect written to\n" &&
    head -1 "$work/y.curves.csv" | grep -qx 'run,curve,x_s,y_share' &&
    [ "$(grep -c '^main,jct,' "$work/y.curves.csv")" -gt 5 ] &&
    [ "$(cut -d, -f2 "$work/y.curves.csv" | sort -u | wc -l)" -eq 4 ]
verdict "curves are yanked as a table" $?
play "n*8\ni\n:yank $work/y.network.csv\n" --policy tests/tui/policies/networks.lua &&
    [ "$(wc -l <"$work/y.network.csv")" -eq 18 ] && grep -q '^8,0,,true,0\.' "$work/y.network.csv" &&
    grep -q '^8,6,least_fragmenting,true,0\.' "$work/y.network.csv"
verdict "what a network says is yanked as a table" $?
refuses "a file that is there stays" ":yank $work/y.txt\n" 1 'y.txt: it exists already, expected the name of a new file'
play 'seek d299\nn*2\n:expect BY MODEL\np\n:expect SERVERS\n:summary\nEnter\n:expect job 30 of 300\n:expect SERVERS\n' --size 100x30
verdict "the summary opens at the end, p and Enter lead back into the run" $?
play ':30\n:expect job 30 of 300\nb\n:expect blame: job 30\nEsc\n:d12\n:expect job 12 of 300\n:42 s\n:expect t 42\n'
verdict "a moment alone on the line is gone to; b there asks about its job" $?
play 'W\n:expect no moment to go to\nE\n:expect BY MODEL\nE\n:expect run over\nW\n:expect 1 of 4, worst time: 70.089 to 80.089 s\n:expect t 70.089\nW\n:expect 2 of 4, first job turned away: job 30\n:expect job 30 of 300\nn W\n:expect 1 of 4, worst time\nu\n:expect job 31 of 300\n' --size 120x40
verdict "W goes to the worst time and on from there, E to what the run came to" $?
mkdir "$work/kept"
if [[ "$program" = /* ]]; then absolute=$program; else absolute=$PWD/$program; fi
printf 'n*30\n5\nY c\n:expect pac-ml-32-curves.csv\nY c\n:expect pac-ml-32-curves-2.csv\nY s\n:expect pac-ml-32-curves.svg\nY m\n:expect lightpath pac-ml-32 --at\nY x\n:expect not done\n' >"$work/kept/keys"
(cd "$work/kept" && "$absolute" pac-ml-32 --keys keys --size 100x30) >"$work/out" 2>"$work/err" &&
    head -1 "$work/kept/pac-ml-32-curves.csv" | grep -qx 'run,curve,x_s,y_share' && grep -q '<svg' "$work/kept/pac-ml-32-curves.svg" &&
    [ "$(ls "$work/kept" | wc -l)" -eq 4 ]
verdict "three keys keep the curve as a CSV file, an SVG file, or the moment" $?
refuses "a pane without a table" ":yank policy $work/x.csv\n" 2 'policy has no table: expected jobs'
refuses "a pane that is not shown" ':yank graph\n' 1 'the pane graph is not on the screen: view graph'
refuses "yanking what there is not" ':yank nowhere x\n' 2 'there is no pane "nowhere"'

# --- the tour: what its texts say is on the screen ---
for size in 40x12 80x24 100x30 200x60; do
    play 'tour\n:expect 1 of 7: servers\nPgDn\ntour 3\n:expect 3 of 7\nPgUp\ntour 5\ntour 7\nPgDn Esc\n' --size $size || break
done
verdict "the tour goes through at every size" $?
for key in Enter space PgDn; do
    play "tour\n:expect 1 of 7\n$key\n:expect 2 of 7\n$key*5\n:expect 7 of 7\nPgUp\n:expect 6 of 7\n$key*2\n:expect the tour is over\n" || break
done
verdict "Enter, space and PgDn go on in the tour" $?
play 'tour\n:expect SERVERS\nPgDn\n:expect limit 21.5 s\nPgDn\n:expect 44.7 s\n:expect 15.4 s\nPgDn\n:expect CIRCUITS\nn\nPgDn\n:expect job 69 squeezenet1_0 blocked\nPgDn\n:expect JCT\nPgDn\n:expect 7 of 7\nw\nq\nPgDn\n:expect the tour is over\n' &&
    play 'n\ntour 2\n1\nEsc\n:expect 2 of 7\nEsc\n:expect the tour is left\n' --ascii
verdict "the tour tells what is on the screen, Esc leaves it" $?
# what it says of the price and of what-if is what the engine computes
"$program" whatif scenarios/pac-ml-32.json --at d68 --to-end --json >"$work/tour.json" &&
    awk -v RS='[{]"answer"' '
        /"end":[{]/ { match($0, /"blocking_rate":[0-9.]+/); rate = sprintf("%.1f %%", 100 * substr($0, RSTART + 16, RLENGTH - 16)) }
        /"degree":3,.*"chosen":true/ { own = rate }
        /"degree":4,.*"shape":"1x4x1"/ { other = rate }
        END { print own; print other; exit own + 0 <= other + 0 }' "$work/tour.json" >"$work/tour.rates" &&
    grep -oE '[0-9]+\.[0-9] %' ui/app/teach/tour.c | diff - "$work/tour.rates" &&
    play 'tour 7\nw\nw\n:expect 17.0 %\n:expect 15.3 %\n' --size 120x40 &&
    play 'seek d68\nfork decline\nn\n:expect R in 6 ways: done\n:branch main\n:seek d69\n:expect turned away\n' --size 120x40
verdict "the tour's moral is what its tables show" $?
refuses "a stop that is none" 'tour 8\n' 2 'the tour has 7 stops'
refuses "another scenario in a script" 'open zones\n' 1 'expected open in a terminal'
refuses "a scenario that is none" 'open nowhere\n' 2 'there is no scenario "nowhere"'
play 'n*3\n5\n5\nq\n:expect circuits\n' || play 'n*3\n5\n5\nq\n:expect CIRCUITS\n' --size 100x30
verdict "a digit pressed again stays, q then leads back to the main screen" $?

# --- the mouse ---
refuses "nothing that a mouse does" ':pointer poke 1 1\n' 2 'script:1:1: "poke 1 1" is nothing that a mouse does'
refuses "a mouse without a place" ':pointer press 1\n' 2 'script:1:1: '
play ':mouse on\nn*8\n:pointer press 2 3\n:expect height: time computing\n:pointer press 2 3\n:expect JCT\n' &&
    play ':mouse on\n:pointer press 1 0\n:expect mouse\n:mouse off\n:expect copy mode\n:pointer press 2 3\n:expect JCT\nM\n:expect clicks and drags here\n'
verdict "a click on a title shows the view alone, and only while the mouse is the explorer's" $?
play ':mouse on\nn*8\n:pointer press 40 22\n:pointer drag 20 22\n:pointer drag 10 5\n:pointer release 10 5\n:expect steps\nu\n:expect job 8 of\n'
verdict "the time line is dragged, and that is one thing to undo" $?
play ':mouse on\nn*8\n:pointer press 30 13\n:pointer press 30 13\n:expect JCT\n:pointer up 30 13\n:pointer down 30 13\n7\n:pointer press 30 4\n6\n:pointer down 9 9\n:pointer press 9 9\n:pointer press 9 9\n:expect right after that event\n'
verdict "rows are marked, a second click on an event goes there, the wheel scrolls" $?
play ':mouse on\nn*8\n3\n:pointer press 49 4\n:expect ┌ JCT \n:expect from arrival to completion; running: forecast (s)\nw\n:pointer press 29 4\n:expect ┌ JCT \nF1\n:expect the steps in which nobody computes (%)\n'
verdict "the title of a column tells what it means, and so does the help" $?
play 'n*8\n:mouse on\n:pointer press 14 2\n:expect ┌ done \n:pointer press 3 2\n:expect ┌ arrived \n:pointer press 70 5\n:expect arrived\n' &&
    play 'n*8\n?\n:expect limit\n:expect all words\nDown\nEnter\n:expect Esc closes\nEsc\n:expect all words\n?\n:expect play or pause\n?\n:expect space play\n'
verdict "? and a click explain words, ? again the keys" $?
play 'help jct\n:expect Job completion time\nEsc\nhelp 4x2x1\n:expect groups x racks x servers\nEsc\nhelp light path\n:expect nobody else uses\nEsc\n:\n:type help corr\nTab Enter\n:expect The default\n?\n/\n:type wavelength\nEnter\n:expect ┌ wavelength \nn\n:expect ┌ circuits \n'
verdict ":help answers for every word and completes, / goes over all of them" $?
refuses "a word that is none" ':help nosuchword\n' 2 'nothing is known of "nosuchword"'
play ':mouse on\nn\nEsc\n:pointer press 2 23\n:expect ▸ PLAY\n'
verdict "a click on a key's label presses it" $?

"$program" "$scenario" --keys "$work/missing" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q missing "$work/err"
verdict "a script that is not there" $?

play '# a comment\n  n  ]  # two keys\n\n:expect job\n:wait 10\n'
verdict "comments, blanks and commands" $?

play "F1\n:save-screen $work/help\nq\n:expect DECISION\nq\n:expect never reached\n" &&
    grep -q 'play or pause' "$work/help"
verdict "q leaves the help first, then the program" $?

play 'step 3\nexpect "job 1 of 300"\n:next 4\nview circuits\nexpect row\nquit\n:expect never reached\n'
verdict "commands stand in scripts, with and without a colon" $?

play 'step 4\n' && cp "$work/out" "$work/first" && play ']*4\n' && cmp "$work/first" "$work/out"
verdict "step 4 is ] four times" $?

play ':\n:type ste\nTab 4 Enter\n' && cmp "$work/first" "$work/out"
verdict "so it is when typed, and completed with Tab" $?

play ':\n:type step 1\nEnter :\n:type step 2\nEnter : Up Up Up Down Up Enter\n' && cmp "$work/first" "$work/out"
verdict "Up brings back what was typed before" $?

play ':\n:type view events\nEsc\n:expect DECISION\n: q Esc Q\n:expect never reached\n'
verdict "Esc leaves the command line, letters are text in it" $?

text=':\n'
random=3
for _ in $(seq 300); do
    random=$(((random * 1103515245 + 12345) % 2147483648))
    case $((random / 65536 % 9)) in
    0) text+='Tab\n' ;;
    1) text+='S-Tab\n' ;;
    2) text+='Enter\n:\n' ;;
    3) text+='Up Left\n' ;;
    4) text+='C-w\n' ;;
    5) text+=':size 7x3\n:size 100x30\n' ;;
    *) text+=":type $(printf 'set t help step \303\251 view =' | cut -c$((random / 65536 % 20 + 1))-$((random / 65536 % 20 + 3)))\n" ;;
    esac
done
play "${text//:type  /:type x }"
verdict "any keys in the command line" $?

play 'n*8\nwhatif\n:expect every way to decide about job 8\nDown*3 Enter\n:expect by hand\n' &&
    cp "$work/out" "$work/first" && play 'n*8 w End Up*4 Enter\n' && grep -q 'by hand' "$work/out"
verdict "a row of the what-if table decides" $?

play 'run-until job(3).state == "running"\n:expect job 3 of 300\n:break event block\nplay\n:wait-until breakpoint: event block\n'
verdict "a run goes on until it is so, playing stops at a breakpoint" $?

play 'break event start\nbreak cause deadline\nbreak\n:expect cause deadline\nEsc\nbreak off\npace max\nplay\n:wait-until run over\n'
verdict "breakpoints are listed and taken away" $?

play 'n*9\n:= #cluster.running\n:expect "8"\n:lua for _, j in ipairs(cluster.running) do print(j.id) end\n:expect Esc closes\n'
verdict "Lua is asked about the moment" $?

refuses "a condition that is none" 'break cause dedline\n' 2 'script:1:1: unknown cause "dedline", did you mean "deadline"'
refuses "a condition in broken Lua" 'run-until (\n' 1 'script:1:1: '
refuses "what if where no decision is due" ':whatif\nstep\nwhatif\n' 1 'script:3:1: no decision is due'

# Back in time: the same moment is the same screen, whatever was visited in between.
play 'n*12\n' --size 100x30 && cp "$work/out" "$work/first" &&
    play 'n*40\nseek d5\nseek 20 s\np*3\nseek e30\nseek d12\n' --size 100x30 &&
    sed '1d;$d' "$work/out" >"$work/a" && sed '1d;$d' "$work/first" | sed '/├/d' >"$work/b" &&
    sed -i '/├/d' "$work/a" && cmp "$work/a" "$work/b"
verdict "a moment that is visited again is the same" $?

play 'n*12\nseek d5\n:expect -\nu\n' --size 100x30 && cmp "$work/out" "$work/first" &&
    play 'n*12\nseek d5\nu C-r\n:expect job 5 of 300\n'
verdict "u undoes a seek, C-r does it again" $?

play 'n*5 Up Enter\n:expect branch d5 degree=1\nn*3\nbranch main\n:expect main\n7\n:expect d5 degree=1\nDown Enter 0\n:expect d5 degree=1\n' --size 100x30
verdict "another row than the policy's forks, and branches are gone to" $?

play 'n*3\nfork name=idea\nn\nbranch main\n7 Down D n\n:expect not done\n:expect idea\nD y\n' &&
    ! grep -q idea "$work/out"
verdict "a branch is deleted when y says so, and only then" $?

play 'n*3\nfork name=idea\nr\n:type better\nEnter\n7\n:expect better\n' && ! grep -q idea "$work/out"
verdict "a branch is renamed" $?

play 'n*8\nseek d4\nfork degree=8\nn*20 c\n:expect apart since d4\n:expect jobs done in both\n'
verdict "branches are compared, the other is played as far" $?

# the six keys of it: c m a x Tab Enter
play 'seek d60\nc\n:type max\nTab Enter\n:expect ONE SEED\n:expect 19 of 61\n:expect +24.6 pt\n:expect the 33 jobs done in both\n'
verdict "two policies are compared in six keys" $?
play 'seek d60\ncompare policy=max_parallelism name=largest\nfork decline name=none\nn\n:expect 2 none\nc\n:expect 1 largest\nc\n:expect 1 main\nEsc\n:expect DECISION\n'
verdict "c chooses what stands beside, Esc leaves one cluster" $?
# Words with blanks stand in quotes: in forks, policies, parameters and names of branches.
cp scripts/edf.lua "$work/my policy.lua"
play "n*3\nfork name=\"a b\" degree=1\nbranch main\nbranch \"a b\"\n7\n:expect a b\nbranch main\ndelete \"a b\"\n:expect main\n" &&
    ! grep -q 'a b' "$work/out"
verdict "a branch with a blank in its name" $?
play "n*3\npolicy \"$work/my policy.lua\"\nyank moment $work/line\nrename \"d3 policy=\\\\\"my policy.lua\\\\\"\" \"c d\"\ncompare \"main\"\nbranch c d\n7\n:expect c d\n" &&
    grep -qF -e "--fork 'policy=\"my policy.lua\"'" "$work/line"
verdict "a policy with a blank in its name" $?
refuses "a quote that is open" 'fork name="a b\n' 2 'a quote is not closed'
refuses "beside the start stands no single decision" 'compare policy=edf degree=2\n' 2 'another policy'

refuses "a moment that is none" 'seek x9\n' 2 'script:1:1: "x9" is no moment'
refuses "a moment that never comes" 'seek d99999\n' 1 'script:1:1: .*decision 99999'
refuses "a branch that is not there" 'n\nfork name=idea\nbranch ideas\n' 2 'did you mean idea'
refuses "a fork in wrong words" 'fork degre=8\n' 2 'degree'
play 'compare policy=max_parallelism.lua\ns\n' && "$program" compare "$scenario" --policy meets_deadline.lua \
    --policy max_parallelism.lua --seeds 2..6 --json 2>"$work/err" >"$work/json" &&
    python3 - "$work/json" "$work/out" <<'PY' 2>>"$work/err"
import json, re, sys
rows, screen = json.load(open(sys.argv[1]))["rows"], open(sys.argv[2]).read()
lost = {}
for row in rows:
    lost.setdefault(row["seed"], []).append(100 * (row["blocked"] + row["unfinished"]) / row["arrived"])
for seed, (one, two) in lost.items():
    line = re.search(r"seed +%d +(\S+) %% +(\S+) %%" % seed, screen)
    assert abs(float(line[1]) - one) <= .5 and abs(float(line[2]) - two) <= .5, (seed, one, two, line[0])
assert len(lost) == 5
PY
verdict "five more seeds are those of compare --seeds" $?
play 'compare param=max_degree=2\ns\n' --policy max_parallelism.lua && grep -q "max_parallelism with other parameters" "$work/out"
verdict "other parameters have seeds to compare" $?
printf 'compare policy=five_forecasts.lua\ns\n' >"$work/script"
"$program" scenarios/five-decisions.json --keys "$work/script" --save-screen "$work/out" >"$work/log" 2>"$work/err" &&
    grep -q "give or take 0 s: every seed alike" "$work/out"
verdict "where nothing is drawn at random no seed is luck" $?
refuses "one policy has no seeds to compare" 'seek d5\nfork decline\ncompare main\nseeds\n' 1 'one policy decides both'
refuses "seeds need two branches" 'seeds 3\n' 1 'no two branches'
refuses "no seeds" 'seeds 0\n' 2 'expected'
refuses "nothing to compare with" 'compare\n' 1 'no other branch yet'
refuses "the trunk cannot be deleted" 'fork\ndelete main\n' 1 'main'

play ":size 40x12\n:save-screen $work/small\n:size 90x30\n" && [ "$(wc -l <"$work/small")" -eq 12 ] &&
    [ "$(wc -l <"$work/out")" -eq 30 ]
verdict "a script resizes the screen" $?

play "n*3\n:save-screen $work/x.roles\n" && grep -q '^[a-z] pending$' "$work/x.roles"
verdict "roles are saved as well" $?

script='space\n:wait 3000\n+ :\n:wait 500\nspace n Tab Down Down Esc ] v 6 Down 0\n'
script=${script/ :/}
play "$script" --size 100x30 && cp "$work/out" "$work/first" && play "$script" --size 100x30 &&
    cmp "$work/first" "$work/out" && ! grep -q 'no job yet' "$work/out"
verdict "the same keys give the same screen" $?

play 'n*20 ]*7 Tab*3\n' --size 100x30 && cp "$work/out" "$work/first" &&
    play 'n*20 ]*7 Tab*3\n' --size 100x30 --ascii && ! LC_ALL=C grep -q '[^ -~]' "$work/out" &&
    [ "$(sed -n 2p "$work/first" | tr -cd '0-9')" = "$(sed -n 2p "$work/out" | tr -cd '0-9')" ]
verdict "ASCII shows the same numbers with ASCII alone" $?

# Motion: the last frame of every scene is the still.
still=0
for keys in 'n*8' 'n*8 Tab' 'n*8 Tab*2' 'n*8 Tab*3' 'n*8 Tab*4' 'n*8 ]' 'n*12 ]' 'n*12 ]*2' 'n*40 Tab*3' 'n*60 Tab*4'; do
    play "$keys\n" --size 120x40 && cp "$work/out" "$work/a" &&
        play "$keys\nframe last\n" --size 120x40 && cp "$work/out" "$work/b" &&
        play "$keys\n}\nframe off\n" --size 120x40 && cp "$work/out" "$work/c"
    [ $? -eq 0 ] && cmp "$work/a" "$work/b" && cmp "$work/a" "$work/c" || still=1
done
verdict "the last frame is the still" $still

play 'n*8\n}\n:expect ARRIVES\n}*7\n:expect 7 of 7\n:expect takes it\n}\n:expect 2/5 PLACE\n:expect 1 of 2\n{\n:expect 7 of 7\nframe 9\n' --size 100x30
[ $? -eq 2 ] && grep -q '"9" is no frame: expected 1 to 8 here' "$work/err"
verdict "} and { go through the frames of all stages" $?

play '}*400\n:expect this was the last frame\n{*400\n:expect this is the first frame\n' --size 100x30 --set generator.count=12
verdict "there is a first frame, and a last one" $?

refuses "frames where nothing is shown in steps" 'n*200\nframe 1\n' 1 'script:2:1: nothing here is shown in steps' --set generator.count=30

play 'space\n:wait 700\nspace\n:expect ❚❚\n:expect of 7\nspace\n:wait-until 2/5 PLACE\n:wait-until job 1 of\n' --size 100x30
verdict "space holds a frame, and goes on from there" $?

# shown PACE ENTRY NEXT: ms from the sentence to the next decision, by the times of a cast
lasts() {
    rm -f "$work/a.cast"
    play "seek d12\npace $1\nspace\n:wait-until $2\n:wait-until $3\n" --size 80x24 --cast "$work/a.cast" &&
        awk -F'[][,]' -v from="$2" -v to="$3" '!start && index($0, "PLAY") { start = $2 } { last = $2 }
            END { printf "%d\n", (last - start) * 1000 + 0.5 }' "$work/a.cast"
}
slow=$(lasts 0.5 'SPLIT' 'STARTS') one=$(lasts 1 'SPLIT' 'STARTS') two=$(lasts 2x 'SPLIT' 'STARTS') four=$(lasts 4 'SPLIT' 'STARTS')
[ "$one" -gt 9000 ] && [ "$one" -le 11000 ] && [ "$slow" -eq $((2 * one)) ] && [ "$two" -eq $((one / 2)) ] &&
    [ "$four" -eq 300 ] || echo "$slow $one $two $four" >"$work/err"
[ ! -s "$work/err" ]
verdict "a decision takes ten seconds at 1x, and as the table of paces says at others" $?

play 'n*8\nspace\n:wait 700\n:size 100x30\n+\n:size 80x24\n3\n:wait 10\n0\n:expect ▸ PLAY 2x\n:expect 2 ways for I\n' --size 80x24
verdict "neither a size nor a key begins a scene anew" $?

play 'P\nspace\n:wait-until 5/5 SEND\n:wait-until ARRIVES\n:expect Stopped (P)\n:expect PAUSED\nspace\n:wait 900\n:expect SPLIT\n' --size 200x60
verdict "P stops at every decision" $?

play 'set motion=slow\n:expect pace 0.25x\nset motion=fast\n:expect pace 4x\npace max\n:expect max\npace 0.1x\n:expect PAUSED 0.1x\n-\n:expect 0.1x\n+*20\n:expect PAUSED max\n' &&
    play 'set motion=off\nspace\n:wait 400\n' --size 100x30 && ! grep -q '▸.* 1 of ' "$work/out"
verdict "there are eight paces, and motion=slow and fast are two of them" $?

play 'n*8\nseek d4\nfork degree=8 name=eight\nn*20\nc\nseek d0\nd\n:expect decide otherwise about job 4\nd\n:expect decide otherwise about job\nd*40\n:expect decide otherwise about job\n' --size 100x30 &&
    play 'd\n:expect compare with a branch (c)\n'
verdict "d goes through what two branches decide otherwise" $?

# The console.
play 'n*9\n`\n:type #cluster.runn\nTab Enter\n:expect "> #cluster.running"\n:expect "   8"\n:type print(1, 2)\nEnter\n:expect "   1  2"\nUp Up\n:expect >#cluster.running\nEsc\nq\n:expect = job 9\n' &&
    play 'n*9\n`\n:type job(3).grap\nTab\n:expect >job(3).graph\n:expect graph string\nEsc Esc\nview console\nlua job(3).\n:expect > job(3).\nlua while true do end\n:expect > while\n' &&
    grep -q "budget" "$work/out"
verdict "the console asks Lua, completes names, keeps what was said" $?

# Along the tracks of the time line.
tree='n*12\nseek d5\nfork degree=8 name=eight\nn*6\n7\n'
play "$tree:expect ▸ └ eight\nLeft*200\n:expect t 0.000 s  decision\nRight*200\nUp\nLeft*3\nEnter\n:expect ▸ main\n:expect steps back\nu\n:expect ▸ └ eight\n" --size 100x30 &&
    play "${tree}0\nview timeline\n:expect TIMELINE the futures\nLeft*9 Enter\n:expect back\nm\n[*2\n:expect ▾\n" --size 100x30
verdict "a moment of any branch is gone to along its track" $?

# Into the decision and its step, and out again.
play 'n*8\nEnter\n:expect ▸ 1 partition\nTab\n:expect ▸ 2 place\nS-Tab*2\n:expect ▸ 5 order flows\nEnter\n:expect STEP of job 8\nEsc\n:expect ▸ 5 order flows\nEsc\n:expect SERVERS\n' --size 100x30
verdict "Enter leads into the decision, then its step, Esc out again" $?

play 'n*8\n4\nTab\nDown*2 Enter\n:expect by hand\n:expect branch d8\n' --size 100x30 &&
    play 'n*8\n4\nUp Enter\n:expect by hand\n:expect branch d8 degree=1\n' --size 100x30
verdict "a row of either table decides" $?

# Searching, and the log of events.
play 'n*12\n6\n/\n:type RESNET18\nEnter\n:expect /RESNET18 1 of 3\nn\n:expect 2 of 3\nN\n:expect 1 of 3\nN\n:expect 3 of 3\nEsc\nn\n:expect job 13 of\n'
verdict "/ searches the events, n and N go round, after Esc n decides" $?

play 'n*12\n3\nsearch squeeze\n:expect 1 of 4\nn n\n:expect 3 of 4\nEnter\n:expect job 8 squeeze\n'
verdict "a match in the jobs is marked: Enter shows its step" $?

play 'n*12\ne\nsearch forecast.finish\n:expect 1 of 1\nEsc q F1\nsearch bookmark\n:expect of 4\nEsc Esc\nhelp\nsearch bookmark\n:expect /bookmark 1 of\n' --policy scripts/meets_deadline.lua
verdict "the policy, the help and other texts are searched" $?

play 'n*12\n6\nsearch no such text\n:expect nowhere in this view\nn\n:expect job 13\n'
verdict "what is nowhere is said, and n decides again" $?

refuses "nothing is searched on the main screen" 'search x\n' 1 'script:1:1: nothing to search here'

play 'n*12\n6\nF\n:type vgg\nEnter\n:expect EVENTS 2 of 27 with "vgg"\nEnd Enter\n:expect right after that event\n:expect still ahead\nu\n:expect job 12 of 300\n'
verdict "F filters the events, Enter goes to one, u comes back" $?

play 'n*12\n6\nEnd Enter\n:expect 14 of them still ahead\nHome Enter\n:expect EVENTS 15 \n'
verdict "events that are still ahead are gone to as well" $?

# Every pane, alone or not, with help over it or not, at sizes that leave it no room.
text='n*25\nseek d9\nfork degree=8\nn*9 Up\n'
for view in 0 1 2 3 4 5 6 8 9 w e x 7 '7 Left' c t '`\n:type #cluster\nEnter\nEsc' '4 }' '4 Tab }' '4 Tab Tab }' '4 S-Tab }' '0 }' '6 /\n:type a\nEnter' '?' 'F1'; do
    text+="$view\n"
    for cols in 1 2 3 4 5 6 7 9 12 20 41 79 93; do
        for rows in 1 2 3 4 5 6 7 8 9 11 14 23 31; do
            text+=":size ${cols}x$rows\n"
        done
    done
done
play "$text:size 100x30\n:expect help, more below\n"
verdict "every pane at every size" $?

# Whatever is pressed at whatever size: no crash, and always the ledger.
random=7
pick() { random=$(((random * 1103515245 + 12345) % 2147483648)) && picked=$((random / 65536 % $1)); }
some=(n ']' space Tab S-Tab Up Down PgUp PgDn Home End Enter 0 1 2 3 4 5 6 v w e x 7 p '[' '<' '>' t Left Right u C-r c D y '?' Esc + - q C-l z '!')
text=
for _ in $(seq 400); do
    pick ${#some[@]} && key=${some[$picked]}
    [ "$key" = q ] && key='Esc Esc Esc Esc ? q'
    text+="$key\n:wait $picked\n"
    pick 60 && [ "$picked" -lt 10 ] && pick 130 && cols=$((picked + 1)) && pick 45 &&
        text+=":size ${cols}x$((picked + 1))\n"
done
play "$text:size 100x30\n0 Esc Esc\n:expect arrived\n:save-screen $work/end\n" && [ -s "$work/end" ]
verdict "any keys at any size" $?

# An expectation that is not met tells what was there instead.
play 'n\n:expect no such text\n'
[ $? -eq 1 ] && grep -q '^ lightpath  pac-ml-32' "$work/err" && grep -q 'arrived 2 = ' "$work/err" &&
    grep -q 'script:2:1: the screen does not show "no such text"' "$work/err"
verdict "what was on the screen instead is shown" $?

# Recorded and played again: the same screen.
play ":record $work/record\nn n ] Tab 4\n:next 3\ndo back-decision 2\nview circuits\n:record off\n" --size 100x30 &&
    sed '$d' "$work/out" >"$work/first" && ! grep -qE '^(n|Tab|\]|4)$' "$work/record" &&
    play '' --size 100x30 && cp "$work/record" "$work/script" &&
    "$program" "$scenario" --keys "$work/script" --save-screen "$work/out" 2>"$work/err" &&
    sed '$d' "$work/out" | cmp -s - "$work/first"
verdict "a record played again gives the same screen" $?

# Times as they stand on the screen, between two events, and at the end.
play ":seek t 14.526 s\n:expect t 14.526 s\n:seek 14.6\n:expect t 14.600 s\n:expect Nothing happens from t 14.526 to 14.952 s\n:seek 2.1 s\n:expect t 2.100 s\n"
verdict "seek takes times as they are written on the screen" $?
play ":seek 100000 s\n:expect BY MODEL\n:seek d3\n:expect SERVERS\n:seek 100000 s\n:expect BY MODEL\n:view curves\n:seek d3\n:seek 100000 s\n:expect CURVES\n"
verdict "a seek to the end shows what the run came to, unless something else is looked at" $?
"$program" disaggregated-rack --keys - --save-screen "$work/out" 2>"$work/err" <<<'expect "t 0.000 s"' && ! grep -q ' ns$' "$work/out"
verdict "a run that begins with everything at once has a time line of seconds" $?

# At the pace 4 jobs move: each decision is one frame, and what becomes of the job is seen.
play ':d29\n:pace 4\nspace\n:wait 250\n:expect 1/5 SPLIT\n:wait 150\n:expect d starts in 2 ways\n:wait 300\n:expect 1/5 SPLIT\n:wait 300\n:expect e, alexnet, is turned away\n:expect blocked 1\n' --size 100x30
verdict "at the pace 4 jobs move instead of decisions" $?

# At the pace 16 the bar counts, and stays for half a second; stopped it says what the moment is.
play ':d29\n:pace 16\nspace\n:wait 100\n:expect what happens is counted here\n:wait 600\n:expect PLAY  5 came, 0 done, 1 lost in 2.06 s\n:wait 200\n:expect PLAY  5 came, 0 done, 1 lost in 2.06 s\n:wait 500\n:expect came,\nspace\n:expect PAUSED 16x\n'
verdict "at the pace 16 the bar counts what came, was done and was lost" $?

# A script in the running program: it stops at its pauses and at other keys; Enter, space or PgDn goes on.
printf 'seek d3\npause Look here.\nn*2\nwait-until job 5\nexpect job 5\npause\n:view events\n' >"$work/demo"
play ":play $work/demo\nwait-until Look here.\n:expect Enter goes on\n:expect DEMO PAUSED\n:expect job 3\n:wait 60000\n:expect job 3\nspace\nwait-until Enter goes on, Esc ends\n:expect job 5\nEnter\nwait-until demo is over\n:expect EVENTS\n" &&
    ! grep -q DEMO "$work/out"
verdict "a script plays in the running program and stops at its pauses" $?
play ":play $work/demo\nwait 100\nTab\n:wait 60000\n:expect DEMO\n:expect 2/5\n:expect job 3\nspace\nwait-until Look here.\nEsc\n:expect the demo ended here\n" &&
    ! grep -q DEMO "$work/out"
verdict "another key holds it, Esc ends it" $?
# Whoever looks at something else is taken back: the view, the moment, the branch.
play ":play $work/demo\nwait-until Look here.\n3\n:expect JOBS\nEsc\n:expect SERVERS\nn n n\n:expect job 6\nf\nd e g r e e = 1 Enter\n:expect branch d6\nDown 5\nEnter\n:expect CURVES\nspace\nwait-until Enter goes on, Esc ends\n:expect job 5\n:expect SERVERS\nEnter\nwait-until demo is over\n" --size 100x30
verdict "what was looked at meanwhile is left, and the script goes on from where it stopped" $?
# What is said is wrapped in the bar, and the program's own sentence stands in the last row.
printf 'seek d3\npause %s\n' "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen the last word" >"$work/long"
for size in 80x24 100x30 200x60; do
    play ":play $work/long\nwait-until one two three\n:expect the last word\n:expect 1/5 SPLIT\n" --size $size && tail -1 "$work/out" | grep -q '1/5 SPLIT' || break
    "$program" "$scenario" --keys "$work/long" --size $size --save-screen "$work/out" 2>"$work/err" && grep -q 'the last word' "$work/out" || break
done
verdict "what a demonstration says is never cut, also without anybody there" $?
# Keys too many: they cut waits short, but neither stop the script nor skip a pause.
for key in Enter space PgDn; do
    play ":play $work/demo\n$key $key $key $key\n:wait 10\n$key\n:wait 10\n$key\n:wait 10\n$key\n:wait 10\n:expect Look here.\n:expect job 3\n:wait 1000\n$key\nwait-until Enter goes on, Esc ends\n:expect job 5\n" || break
done
verdict "impatient keys neither end it nor skip its pauses" $?
# Back to the pause before: the moment, the branch, what is shown; what the script did since is undone, so that it can do it again.
printf 'seek d3\nmark row 2\npause One.\nfork degree=1 name=alone\nseek 60 s\nview jobs\nDown\npause Two.\nview curves\npause Three.\n' >"$work/back"
for key in PgUp p Backspace; do
    play ":play $work/back\nwait-until One.\n:expect job 3\nEnter\nwait-until Two.\n:expect branch alone\n:expect JOBS\nEnter\nwait-until Three.\n:expect CURVES\n$key\n:expect Two.\n:expect JOBS\n:expect branch alone\n:wait 60000\n:expect Two.\n$key\n:expect One.\n:expect job 3\n:expect SERVERS\n$key\n:expect One.\n:expect this is the demo's first pause\nEnter\nwait-until Two.\n:expect branch alone\n:expect JOBS\nEnter\nwait-until Three.\nEnter\nwait-until demo is over\n:branches\n" --size 100x30 &&
        [ "$(grep -c alone "$work/out")" -gt 0 ] || break
done
verdict "PgUp, p and Backspace go back in a demonstration, which then goes on as before" $?
play ":play $work/back\nwait-until One.\nEnter\nwait 500\nPgUp\n:expect One.\n:expect job 3\n:wait 60000\n:expect One.\nn\nn\n:expect job 5\np\n:expect job 4\nPgUp\n:expect One.\n:expect job 3\nEnter\nwait-until Two.\n" --size 100x30
verdict "back in the middle, and from elsewhere, leads to the pause that was last" $?
# Somebody forked from a branch of the script: that one stays, under another name.
play ":play $work/back\nwait-until One.\nEnter\nwait-until Two.\n:\ntype seek d5\nEnter\n:\ntype fork decline name=mine\nEnter\n:expect mine\nPgUp\n:expect Two.\n:expect └ alone\nPgUp\n:expect One.\nEnter\nwait-until Two.\n:expect └ alone\nEsc\n:branches\n:expect alone before\n:expect mine\n" --size 100x30
verdict "a branch of one's own stays when a demonstration goes back" $?
printf 'wait 5000\npause One.\nhelp\npause Two.\nEsc\npause Three.\n' >"$work/back"
play ":play $work/back\nwait 100\nPgUp\n:expect no pause of the demo was before\nwait-until One.\nEnter\nwait-until Commands: Run\n:wait 5000\nEnter\nwait-until Three.\nPgUp\n:expect Two.\n:expect is not shown again\n" --size 100x30
verdict "what a demonstration cannot bring back it says" $?
printf 'n\nexpect nowhere\n' >"$work/demo"
play ":play $work/demo\nwait-until the demo ended: line 2: the screen does not show\n" && ! grep -q DEMO "$work/out"
verdict "what fails in it ends it, and is told with its line" $?
printf 'play one-fast-job\n' >"$work/demo"
play ":play $work/demo\nwait-until a script cannot play another one\n" && play ":play one-fast-job\nwait-until Letters are jobs.\n"
verdict "by name, and not out of itself" $?
refuses "a script that is not there" ":play nothing\n" 2 'there is no key script "nothing": expected a file, or .*one-fast-job turn-the-light'
play ":record $work/record\n:play one-fast-job\nwait-until Letters are jobs.\n:record off\n" &&
    grep -qx 'seek d68' "$work/record" && ! grep -q '^play' "$work/record"
verdict "a record has its lines, not its name" $?

# A cast: deterministic, valid JSON lines, and nothing of the scenario's texts acts in it.
printf '%s' '{"lightpath":1,"name":"evil\u001b]52;c;x\u0007","title":"\u009b2J","graphs":[{"id":"a\u202e\u001b[2J","zoo":"alexnet"}],"generator":{"count":9,"load":0.5}}' >"$work/evil.json"
printf 'n n\n:wait 300\nspace\n:wait 500\nview events\n:size 60x20\n' >"$work/script"
for i in 1 2; do
    "$program" "$work/evil.json" --keys "$work/script" --cast "$work/cast$i" --save-screen "$work/out" 2>"$work/err"
done
cmp -s "$work/cast1" "$work/cast2" && [ "$(wc -l <"$work/cast1")" -gt 5 ] &&
    head -n 1 "$work/cast1" | grep -q '"version": 2, "width": 80, "height": 24' &&
    grep -q '"r", "60x20"' "$work/cast1" && ! LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]' "$work/cast1" &&
    ! grep -qE 'u001b\]|u009b|u0007' "$work/cast1"
verdict "a cast is deterministic and safe" $?
if command -v python3 >/dev/null; then
    python3 -c 'import json,sys
t = 0.0
for i, line in enumerate(open(sys.argv[1])):
    v = json.loads(line)
    if i:
        assert v[0] >= t and v[1] in "or", v
        t = v[0]' "$work/cast1" 2>"$work/err"
    verdict "a cast is what players read" $?
fi
"$program" "$scenario" --keys "$work/script" --cast /nosuch/folder/x --save-screen "$work/out" 2>"$work/err"
[ $? -ne 0 ] && grep -q '/nosuch/folder/x: ' "$work/err"
verdict "a cast that cannot be written" $?

# For screen readers: a line per event, nothing drawn.
printf '\n\nn\nc\nl\nq\n' | "$program" "$scenario" --plain >"$work/out" 2>"$work/err" &&
    grep -q 'A job 0 .* arrives' "$work/out" && grep -q "the policy's choice" "$work/out" &&
    grep -q '^arrived ' "$work/out" && ! LC_ALL=C grep -q '[^ -~]' "$work/out"
verdict "the plain mode says one event per line" $?

exit $failed

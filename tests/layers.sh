#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Proves that the folders know each other only along the arrows
#     {ui, lib} -> many -> say -> ask -> session -> import -> host -> {script, learn, graph, io, history, solve} -> sim -> model -> base
# by reading the sources (includes, each header on its own) and the objects (symbols, globals), that
# the rooms of a folder know each other only along arrows of their own, that no room is crowded,
# that files are written by engine/host/write_file.c alone, that only engine/model/fabric
# says which fabric is which, that views draw what the board of a fabric says, that no name has two
# meanings, and that comments name their subjects.
#
#   tests/layers.sh [includes] [headers] [rooms] [files] [fabrics] [boards] [names] [words] [seen] [symbols] [knots] [globals]
#
# from the root of a tree, usually by `make layers`; without arguments all twelve rules.
#
# Environment: LAYERS_O (folder of the objects), LAYERS_MODE, LAYERS_CC, LAYERS_FLAGS (to compile a
# header with), LAYERS_NM, LAYERS_OBJDUMP, LAYERS_ONLY (the headers among these files alone are
# compiled; all other rules read everything). Prints what violates a rule, then `ok RULE`,
# `not ok RULE` or `skip RULE: why`.
set -u
export LC_ALL=C

O=${LAYERS_O:-build/release}
MODE=${LAYERS_MODE:-release}
CC=${LAYERS_CC:-gcc}
HEADER_FLAGS=${LAYERS_FLAGS:--std=c11 -D_XOPEN_SOURCE=700 -Iengine -Iui}
NM=${LAYERS_NM:-nm}
OBJDUMP=${LAYERS_OBJDUMP:-objdump}

# Who may use whom, besides itself. The user interface sees the engine through the
# folders from host to many, and the plain data that they hand out is described by headers of sim,
# model and base.
ARROWS='base:
late: base
unpack: late base
solve: late base
model: base
sim: model base
history: sim model base
graph: late sim model base
io: unpack sim model base
script: sim model base
learn: late sim model base
host: io script sim model base
import: host graph io sim model base
session: import host script learn graph io history sim model base
ask: session host script learn graph io history sim model base
say: ask session import host io sim model base
many: say ask session import host solve script learn io sim model base
lib: many session sim model base
ui: many say ask session import host sim model base'

# The rooms of a folder are the folders in it. Which rooms a room may use, besides itself; the folder
# itself is a room too. Rooms of other folders are a matter of the arrows above. ui/views stands for
# each room in it: no view knows another one. NAME+ is that room and all that it may use.
ROOMS='base:
late:
unpack:
solve:
graph:
history:
learn/blas:
learn: learn/blas
model/network:
model/device:
model/circuit: model/network
model/tree:
model/fabric: model/circuit model/device model/network model/pod model/tree
model/cuts:
model/collective:
model/lesson:
model/ranks:
model/trace:
model: model/circuit model/cuts model/device model/fabric model/lesson model/network model/parallel model/pod model/ranks model/trace model/tree
model/zoo: model
model/parallel: model/device model/fabric
model/split: model model/parallel model/device model/ranks
model/pod:
sim/step:
sim/ranks: sim/step
sim/turns:
sim/uneven:
sim/combs:
sim/parallel: sim/turns
sim/traffic: sim/step
sim/store: sim/traffic sim/step sim/parallel sim/ranks sim/turns
sim/state: sim/store sim/step
sim/place: sim/state sim/store sim/step
sim/queue: sim/state sim/store sim/step
sim/sharing: sim/state sim/store sim/traffic sim/step
sim/light: sim/sharing sim/state sim/store sim/traffic sim/step
sim/account: sim/state sim/store sim/step
sim: sim/account sim/light sim/sharing sim/place sim/queue sim/state sim/store sim/traffic sim/step
sim/waits: sim sim/account sim/facts sim/place sim/queue sim/state sim/store sim/step
sim/facts: sim sim/account sim/light sim/sharing sim/place sim/state sim/store sim/traffic sim/step
io/json:
io/files: io/json
io/profile: io/json
io/lesson: io/json
io/scenario: io/lesson io/profile io/files io/json
io: io/scenario io/lesson io/files io/json
script/source:
script/sandbox: script/source
script/policy: script/sandbox
script/views: script/policy script/sandbox
script: script/views script/policy script/sandbox
host:
import/rows:
import/jobs: import/rows
import/trace:
import/nets: import/rows import/trace
import/steps: import/rows import/trace
import: import/jobs import/nets import/steps import/trace import/rows
session/words:
session/pod: session/words
session/player: session/pod
session: session/player
session/moment: session/words session
ask/network:
ask/sooner:
ask/inspect: ask/network ask/sooner
ask/draft: ask/inspect
ask/whatif: ask/network ask/inspect ask/draft
ask/blame: ask/draft
ask/predict: ask/inspect
ask/collective:
ask/policy:
ask/pod:
say:
many/train:
many/study:
many/results: many/study
many/bound:
many/experiment: many/bound many/results many/study
lib:
ui/term:
ui/widgets: ui/term
ui/moment/parts: ui/widgets ui/term
ui/moment/picture: ui/moment/parts+
ui/moment/frames: ui/moment/picture+
ui/moment: ui/moment/frames ui/moment/picture+
ui/glossary: ui/moment ui/moment/picture+
ui/board: ui/glossary+
ui/views: ui/board+
ui/screen: ui/views ui/board+
ui/app/line: ui/term
ui/app/files:
ui/app/state: ui/app/files ui/app/line ui/screen+
ui/app/show: ui/app/state ui/app/line ui/screen+
ui/app/hand: ui/app/state ui/screen+
ui/app/keep: ui/app/show ui/app/state ui/app/files ui/app/line ui/screen+
ui/app/fork: ui/app/show ui/app/state ui/app/line ui/screen+
ui/app/play: ui/app/keep+
ui/app/teach: ui/app/play+
ui/app: ui/app/teach ui/app/fork ui/app/hand ui/app/play+
ui/front: ui/app+
ui/cli/common: ui/front+
ui/cli: ui/cli/common+
ui: ui/cli ui/cli/common'

# A room has at most this many .c files, or is listed with its number and a reason.
#   session   one structure with its time line, its file and its policy, which change together
ROOM_FILES=15
CROWDED_ROOMS='session:20'

# Rooms that grow by a file for each thing of a kind have no number: what a file is, is said here and
# looked for. ROOM; what a file is; the line that shows it, as an extended regular expression in
# which @ is the name of the file (then there is one such line in it), or "header" where a file has
# a header NAME.h, or goes on with what NAME_ in front of its own name has; files that others share.
ROOM_FILES_ARE='import/jobs; the reader of a format; ^const LpFormat lp_format_@ =; timed
import/nets; the reader of a format; ^const LpFormat lp_format_@ =; graph_net hosts names net net_cluster net_report switch_tree switch_tree_net switch_tree_report
ui/cli; one command; ^const LpCommand lp_command_@ =; cli
io/scenario; an object of the scenario format; ^static const LpJsonKey [a-z_]+_keys; identity numbers shapes
script/views; a thing that scripts see, or what the cluster is asked; ^(const LpProxyClass lp_proxy_|int lp_api_); actions classes proxy slice_answer turns
model/fabric; one fabric; ^const LpFabricOps lp_fabric_@ =; axis best board cluster collective collective_adds component fabric larger larger_links ramp_bound room sends server_name survey
ask/inspect; what front ends ask about one thing; header;'

# Headers that many would see by way of others, where a declaration in front is enough: so many
# objects of the program may see each, so that a line in it stays cheap to change.
#   exercise.h, place.h   an arena and a search, which scenarios and clusters only point to
#   device.h, machine.h   tables of accelerators and of their constants
#   step.h, split.h       steps of plans, of which the store's header only tells
SEEN='engine/model/lesson/exercise.h:45
engine/model/pod/place.h:29
engine/model/device/device.h:20
engine/model/parallel/machine.h:80
engine/model/split/split.h:70
engine/sim/parallel/parallel_step.h:65'

# Files that call each other in circles, so that none can be understood or tested without the others:
# each knot with the files that may be in it (an extended regular expression) and the reason.
FILE_KNOTS='engine/base/(err|str).c  an error has a sentence, and making text can fail
engine/session/[a-z_]+.c  one structure whose commands call each other'

# Macros that several files define, each for itself, with the reason.
#   LP_TABLE_ITEM  the type of an item, which ui/widgets/widgets_table.h asks of each file that makes a table
SHARED_MACROS='LP_TABLE_ITEM'

# Phrases in comments that leave out what they speak of, as extended regular expressions:
# docs/style.md, "Comments", says what to write instead.
DENSE_PHRASES='The same (of|for|with|as)
[Ss]o many
/\* Of (one|those|a|the|all)
That of
Those of
The one that
likewise \*/
\.\.\. \*/
/\* \.\.\.'

# The library of each folder: headers and symbols, as extended regular expressions.
LIBRARIES='graph ^igraph ^(igraph_|IGRAPH_)
io ^cjson/ ^cJSON_
script ^(lua|lualib|lauxlib|luaconf)\.h$ ^lua(L|open)?_
learn ^cblas ^(cblas_|openblas_)
solve ^glpk\.h$ ^glp_
unpack ^zlib\.h$ ^(inflate|deflate|gz)
inotify ^sys/inotify\.h$ ^$
curses ^(n?curses|ncursesw/.*|panel|term|unctrl|eti)\.h$ .'

# The four lowest folders are pure: they see standard C only, and neither clock, chance, files,
# locale, environment nor libm's transcendental functions, whose results differ by machine.
PURE='base model sim history'
PURE_DENY='time clock clock_gettime gettimeofday timespec_get nanosleep localtime localtime_r gmtime
gmtime_r mktime strftime rand_r drand48 lrand48 mrand48 getrandom getentropy arc4random getenv
secure_getenv setenv setlocale localeconv fopen fdopen freopen open openat read
write exp exp2 exp10 expm1 log log2 log10 log1p pow sin cos tan sincos asin acos atan atan2 sinh
cosh tanh asinh acosh atanh cbrt hypot fma erf erfc tgamma lgamma pthread_create'
# No folder of the engine prints, exits or draws from a hidden generator.
ENGINE_DENY='printf vprintf puts putchar perror stdout stderr exit _exit _Exit quick_exit abort
rand srand random srandom'
# Where a bug has been found nobody is left to return an error to: in checked builds a failed
# assertion says so and aborts. Release objects hold nothing of it, neither there nor in who asserts.
ASSERT_OBJECT=engine/base/assert.o
ASSERT_SYMBOLS='stderr fprintf fwrite abort'
RELEASE_DENY=lp_assert_failed

# Mutable globals that are wanted, as FILE:SYMBOL, each with its reason.
#   the one lock around a library that is not safe for threads
#   what a signal handler may set
ALLOWED_GLOBALS='
engine/graph/lock.o:lock
ui/term/curses.o:interrupted
ui/main.o:interrupted'

# Who may make, change, name or remove files beside the one writer, as FILE:WORD.
#   ui/app/files/autosave.c   the folder of its sessions, and the oldest of them
#   ui/app/line/script.c   reads key scripts
#   ui/main.c       /dev/null in place of standard files that are closed
#   ui/term/curses.c  the terminal
ALLOWED_WRITERS='
engine/host/write_file.c:.*
ui/app/files/autosave.c:mkdir
ui/app/files/autosave.c:unlink
ui/app/line/script.c:fopen
ui/main.c:O_WRONLY
ui/term/curses.c:O_WRONLY'
WRITING='fopen|freopen|fdopen|creat|mkstemp|mkostemp|mkdtemp|tmpfile|tmpnam|rename|renameat|link|linkat|symlink|unlink|unlinkat|remove|mkdir|mkdirat|mknod|mkfifo|truncate|ftruncate'
WRITING_FLAGS='O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE'

STANDARD='assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time
uchar wchar wctype'
POSIX='dirent dlfcn fcntl fnmatch ftw getopt glob grp iconv langinfo libgen poll pthread pwd regex
sched search semaphore spawn strings sys/.* syslog termios unistd utime wordexp'

rules=" ${*:-includes headers rooms files fabrics boards names words seen symbols knots globals} "
wants() { [[ $rules == *" $1 "* ]]; }

failed=0
# verdict RULE FILE: passes if FILE (the violations) is empty.
verdict() {
    if [ -s "$2" ]; then
        cat "$2"
        echo "not ok $1"
        failed=1
    else
        echo "ok $1"
    fi
}
words() { echo $1; }

tmp=$(mktemp -d "${TMPDIR:-/tmp}/layers.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT

# Shared by the awk programs: folder of a path, may(user, used).
RULES_AWK='
function folder(path) {
    if (path ~ /^ui\//) return "ui"
    sub(/^engine\//, "", path)
    sub(/\/.*/, "", path)
    return path
}
function may(user, used) { return user == used || (user, used) in arrow }
# "session"
function room(path) {
    sub(/^engine\//, "", path)
    sub(/\/[^\/]*$/, "", path)
    return path
}
# the row of ROOMS that speaks of a room
function row_of(r) { return r ~ /^ui\/views\// ? "ui/views" : r }
function has_room(r) { return row_of(r) in room_known }
function may_room(user, used) {
    return user == used || (row_of(user), row_of(used)) in room_arrow
}
function load_rooms(   i, j, n, m, lines, part, low, part_used) {
    n = split(ENVIRON["ROOMS"], lines, "\n")
    for (i = 1; i <= n; i++) {
        m = split(lines[i], part, /[: ]+/)
        room_known[part[1]] = 1
        for (j = 2; j <= m; j++) if (part[j] != "") {
            low = part[j]
            if (sub(/\+$/, "", low)) low = low room_uses[low]
            room_uses[part[1]] = room_uses[part[1]] " " low
        }
        m = split(room_uses[part[1]], part_used, " ")
        for (j = 1; j <= m; j++) room_arrow[part[1], part_used[j]] = 1
    }
}
function load_rules(   i, j, n, m, lines, part) {
    load_rooms()
    n = split(ENVIRON["ARROWS"], lines, "\n")
    for (i = 1; i <= n; i++) {
        m = split(lines[i], part, /[: ]+/)
        known[part[1]] = 1
        for (j = 2; j <= m; j++) if (part[j] != "") {
            arrow[part[1], part[j]] = 1
            uses[part[1]] = uses[part[1]] " " part[j]
        }
    }
    n = split(ENVIRON["LIBRARIES"], lines, "\n")
    for (i = 1; i <= n; i++) {
        split(lines[i], part, " ")
        lib_header[part[1]] = part[2]
        lib_symbol[part[1]] = part[3]
    }
    n = split(ENVIRON["PURE"], part, " ")
    for (i = 1; i <= n; i++) pure[part[i]] = 1
}'
export ARROWS ROOMS LIBRARIES PURE PURE_DENY ENGINE_DENY ALLOWED_GLOBALS
export ASSERT_OBJECT ASSERT_SYMBOLS RELEASE_DENY MODE
STANDARD_RE="^($(words "$STANDARD" | tr ' ' '|'))\\.h\$"
POSIX_RE="^($(words "$POSIX" | tr ' ' '|'))(\\.h)?\$"
export STANDARD_RE POSIX_RE

# --- 1. includes -----------------------------------------------------------------------------------
sources=$(find engine ui -name '*.[ch]' -o -name '*.in[cl]' 2>/dev/null | sort)
# .c files with an object, and without one
built=
unbuilt=
for file in $sources; do
    case $file in
    *.c) if [ -e "$O/${file%.c}.o" ]; then built="$built $file"; else unbuilt="$unbuilt $file"; fi ;;
    esac
done
# those of MODE=dev are of rooms: what one file shows there, others may have brought
[ "$MODE" != dev ] || { unbuilt="$built $unbuilt" built=; }
cores=$(nproc 2>/dev/null || echo 2)
check_includes() {
    # FILE LINE KIND NAME, where KIND is < or " and anything else is an include by macro
    awk '/^[ \t]*#[ \t]*include/ {
        name = $0
        sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
        kind = substr(name, 1, 1)
        name = substr(name, 2)
        sub(/[">].*/, "", name)
        print FILENAME, FNR, kind, name
    }' $sources /dev/null >"$tmp/includes"
    export SOURCES="$sources"

    awk "$RULES_AWK"'
    function complain(text) { print at ": " text }
    function resolve(file, name,   dir) {
        dir = file
        sub(/[^\/]*$/, "", dir)
        if ((dir name) in exists) return dir name
        if (("engine/" name) in exists) return "engine/" name
        if (("ui/" name) in exists) return "ui/" name
        return ""
    }
    function check_quoted(file, name,   target, from, to) {
        if (name ~ /\.\./) { complain("include \"" name "\" climbs; write \"folder/file.h\""); return }
        target = resolve(file, name)
        if (target == "") { complain("include \"" name "\" names no file of engine/ or ui/"); return }
        from = folder(file)
        to = folder(target)
        if (!may(from, to)) complain(from " may not include \"" name "\"; it may use:" uses[from])
        else if (from == to && !may_room(room(file), room(target)))
            complain(room(file) " may not include \"" name "\"; it may use:" room_uses[row_of(room(file))])
        else if (from != to && target in private) complain("\"" name "\" includes <" private[target] ">, so only " to " may include it")
    }
    function check_angle(file, name,   from, lib, owner) {
        from = folder(file)
        for (lib in lib_header) if (name ~ lib_header[lib]) {
            owner = lib == "curses" ? "ui/term/curses.c" : lib == "inotify" ? "engine/io/files/watch.c" : "engine/" lib "/"
            if (index(file, owner) != 1) complain("<" name "> belongs to " owner " only")
            return
        }
        if (name == "assert.h") { complain("<assert.h> depends on NDEBUG; \"base/assert.h\" has LP_ASSERT"); return }
        if (name ~ ENVIRON["STANDARD_RE"]) return
        if (from in pure) complain("<" name "> is not a header of standard C; " from " sees nothing else")
        else if (name !~ ENVIRON["POSIX_RE"]) complain("<" name "> is neither standard C, POSIX, nor the library of " from)
    }
    BEGIN {
        load_rules()
        n = split(ENVIRON["SOURCES"], list, "\n")
        for (i = 1; i <= n; i++) exists[list[i]] = 1
    }
    { file[NR] = $1; line[NR] = $2; kind[NR] = $3; name[NR] = $4 }
    END {
        # headers that show a library, directly or through another header of their folder
        do {
            grown = 0
            for (i = 1; i <= NR; i++) if (file[i] ~ /\.h$/ && !(file[i] in private)) {
                shown = ""
                if (kind[i] == "<") { for (lib in lib_header) if (name[i] ~ lib_header[lib]) shown = name[i] }
                else if ((target = resolve(file[i], name[i])) in private && folder(target) == folder(file[i])) shown = private[target]
                if (shown != "") { private[file[i]] = shown; grown = 1 }
            }
        } while (grown)
        for (i = 1; i <= NR; i++) {
            at = file[i] ":" line[i]
            if (!(folder(file[i]) in known)) complain("the folder " folder(file[i]) " is not part of the house")
            else if (kind[i] == "<") check_angle(file[i], name[i])
            else if (kind[i] == "\"") check_quoted(file[i], name[i])
            else complain("an include by macro cannot be checked")
        }
    }' "$tmp/includes" >"$tmp/bad"
    verdict "layers: includes" "$tmp/bad"
}
! wants includes || check_includes

# --- 2. every header on its own ----------------------------------------------------------------------
check_headers() {
    local header number=0
    export CC HEADER_FLAGS SOURCES="$sources"
    # What a .c file includes before all else was compiled alone when that file was built; so was
    # what that header includes before all else, and so on.
    BUILT=$built awk '
    function resolve(file, name) {
        sub(/[^\/]*$/, "", file)
        if ((file name) in exists) return file name
        return ("engine/" name) in exists ? "engine/" name : "ui/" name
    }
    BEGIN {
        n = split(ENVIRON["SOURCES"], list, "\n")
        for (i = 1; i <= n; i++) exists[list[i]] = 1
        n = split(ENVIRON["BUILT"], list, " ")
        for (i = 1; i <= n; i++) built[list[i]] = 1
    }
    FNR == 1 { said = comment = 0 }
    said { next }
    !comment && /^[ \t]*\/\*/ { comment = 1 }
    comment { if (/\*\//) { comment = 0; said = !/\*\/[ \t]*$/ } next }
    /^[ \t]*(\/\/.*)?$/ || /^#(ifndef|define) LP_[A-Z0-9_]+_H$/ { next }
    { said = 1 }
    sub(/^[ \t]*#[ \t]*include[ \t]*"/, "") {
        sub(/".*/, "")
        first[FILENAME] = resolve(FILENAME, $0)
    }
    END {
        for (file in first) if (file in built)
            for (header = first[file]; header != "" && !(header in proven); header = first[header]) proven[header] = 1
        for (header in proven) print header
    }' $sources /dev/null >"$tmp/proven"
    printf '%s\n' $sources | grep '\.h$' | grep -vxFf "$tmp/proven" >"$tmp/headers"
    mkdir "$tmp/alone"
    while read -r header; do
        [[ -z ${LAYERS_ONLY:-} || " $LAYERS_ONLY " == *" $header "* ]] || continue
        number=$((number + 1))
        printf '#include "%s"\ntypedef int header_alone;\n' "$header" >"$tmp/alone/$number.c"
        echo "$number $header"
    done <"$tmp/headers" >"$tmp/numbered"
    # Many by one call; then those of a call that failed, each by itself, to be told of.
    compile_many='dir=$1; shift; numbers=$*
        for n; do set -- "$@" "$dir/$n.c"; shift; done
        $CC $HEADER_FLAGS -I. -fsyntax-only "$@" >/dev/null 2>&1 || printf "%s\n" $numbers'
    compile_alone='printf "#include \"%s\"\ntypedef int header_alone;\n" "$1" |
        $CC $HEADER_FLAGS -I. -fsyntax-only -x c - >"$0.$$" 2>&1 || { echo "$1 does not compile on its own:"; head -5 "$0.$$"; }; rm -f "$0.$$"'
    cut -d ' ' -f 1 "$tmp/numbered" | xargs -r -P "$cores" -n 12 sh -c "$compile_many" many "$tmp/alone" >"$tmp/suspects"
    awk -v suspects="$tmp/suspects" '
    BEGIN { while ((getline number < suspects) > 0) suspect[number] = 1 }
    $1 in suspect { print $2 }' "$tmp/numbered" |
        xargs -r -P "$cores" -I{} sh -c "$compile_alone" "$tmp/alone/told" {} >"$tmp/bad"
    verdict "layers: each header compiles alone" "$tmp/bad"
}
! wants headers || check_headers

# --- rooms: known, and not crowded ---------------------------------------------------------------------
check_rooms() {
    export ROOM_FILES CROWDED_ROOMS ROOM_FILES_ARE
    printf '%s\n' $sources | awk "$RULES_AWK"'
    BEGIN {
        load_rules()
        n = split(ENVIRON["CROWDED_ROOMS"], lines, "\n")
        for (i = 1; i <= n; i++) { split(lines[i], part, ":"); most[part[1]] = part[2] }
        n = split(ENVIRON["ROOM_FILES_ARE"], lines, "\n")
        for (i = 1; i <= n; i++) {
            split(lines[i], part, /; */)
            is[part[1]] = part[2]
            shows[part[1]] = part[3]
            shared[part[1]] = " " part[4] " "
        }
    }
    function name_of(file) { sub(/.*\//, "", file); sub(/\.[a-z]+$/, "", file); return file }
    # Is the file of a room what its row says?
    function shows_it(file, r,   name, pattern, exact, line, found, at) {
        name = name_of(file)
        if (index(shared[r], " " name " ")) return 1
        if (shows[r] == "header") {
            do {
                if ((r, name) in headers) return 1
            } while (sub(/_[^_]*$/, "", name))
            return 0
        }
        exact = pattern = shows[r]
        at = sub(/@/, "[a-z0-9_]+", pattern)
        sub(/@/, name, exact)
        while ((getline line < file) > 0) if (line ~ pattern) {
            found++
            if (at && (found > 1 || line !~ exact)) found = -1000
        }
        close(file)
        return found > 0
    }
    { if (!(room($0) in count)) order[++rooms] = room($0); count[room($0)] += /\.c$/ }
    /\.h$/ { headers[room($0), name_of($0)] = 1 }
    /\.c$/ && room($0) in is { looked[++files] = $0 }
    END {
        for (i = 1; i <= rooms; i++) {
            r = order[i]
            limit = r in most ? most[r] : ENVIRON["ROOM_FILES"]
            if (!has_room(r)) print r ": no room of the house; ROOMS in tests/layers.sh names them and what they may use"
            if (!(r in is) && count[r] > limit) print r ": " count[r] " .c files, expected at most " limit
        }
        for (i = 1; i <= files; i++) {
            r = room(looked[i])
            if (!shows_it(looked[i], r))
                print looked[i] ": a file of " r " is " is[r] " (" shows[r] "); ROOM_FILES_ARE in tests/layers.sh lists the others"
        }
    }' >"$tmp/bad"
    verdict "layers: rooms" "$tmp/bad"
}
! wants rooms || check_rooms

# --- 3. one writer -----------------------------------------------------------------------------------
# By the sources, since objects do not show how a file is opened. Comments and texts say nothing.
check_files() {
    export ALLOWED_WRITERS WRITING WRITING_FLAGS
    awk '
    BEGIN {
        n = split(ENVIRON["ALLOWED_WRITERS"], allowed, /\n+/)
        pattern = "(^|[^A-Za-z0-9_])((" ENVIRON["WRITING"] ") ?\\(|(" ENVIRON["WRITING_FLAGS"] ")([^A-Za-z0-9_]|$))"
    }
    function is_allowed(what,   i) {
        for (i = 1; i <= n; i++) if (allowed[i] != "" && what ~ ("^" allowed[i] "$")) return 1
        return 0
    }
    /^ ?\*|^ *\/\*/ { next }
    {
        gsub(/"([^"\\]|\\.)*"/, "\"\"")
        sub(/\/\/.*/, "")
        gsub(/\/\*[^*]*\*\//, "")
        while (match($0, pattern)) {
            word = substr($0, RSTART, RLENGTH)
            $0 = substr($0, RSTART + RLENGTH - 1)
            gsub(/[^A-Za-z0-9_]/, "", word)
            if (!is_allowed(FILENAME ":" word))
                print FILENAME ":" FNR ": " word ": files are written by engine/host/write_file.c"
        }
    }' $sources /dev/null >"$tmp/bad"
    verdict "layers: one writer of files" "$tmp/bad"
}
! wants files || check_files

# --- 4. fabrics ----------------------------------------------------------------------------------------
# Whoever asks which fabric it is has to be changed for the next one: the answer belongs into
# LpFabricOps. How many there are may be asked by all.
check_fabrics() {
    printf '%s\n' $sources | grep -v '^engine/model/fabric/' |
        xargs -r grep -noE '\bLP_FABRIC_[A-Z0-9_]+\b' /dev/null | grep -v ':LP_FABRIC_COUNT$' |
        sed 's|$|: what differs between fabrics is asked of LpFabricOps (engine/model/fabric/fabric.h)|' >"$tmp/bad"
    verdict "layers: fabrics" "$tmp/bad"
}
! wants fabrics || check_fabrics

# --- boards ----------------------------------------------------------------------------------------------
# A view draws the plan that the fabric gave (LpModel.board), however many fabrics there are. What it
# works out (its facts) may look behind it.
check_boards() {
    printf '%s\n' $sources | grep '^ui/views/' | grep -v '_facts\.c$' |
        xargs -r grep -noE '\bLpFabric(Ops)?\b|(\.|->)fabric\b|\bops->|context->circuits|\bLP_TOPOLOGY_[A-Z_]+' /dev/null |
        sed 's|$|: a view asks LpModel.board what the fabric is like (engine/model/fabric/board.h)|' >"$tmp/bad"
    verdict "layers: boards" "$tmp/bad"
}
! wants boards || check_boards

# --- names ---------------------------------------------------------------------------------------------
# One name is one thing in the whole program: a debugger prints a type by its name alone, and files
# can be compiled together. Types Lp*, also those of a .c file, enumerators and macros LP_*. Twice
# in one file is a matter of the compiler: it refuses that but in two branches of an #if.
check_names() {
    export SHARED_MACROS
    awk '
    BEGIN { n = split(ENVIRON["SHARED_MACROS"], list, "\n"); for (i = 1; i <= n; i++) { shared[list[i]] = 1 } }
    function note(kind, name) {
        if (name in shared) return
        if (!(name in file)) { place[name] = FILENAME ":" FNR; file[name] = FILENAME }
        else if (file[name] != FILENAME)
            print FILENAME ":" FNR ": the " kind " " name " is also defined at " place[name] "; one name is one thing"
    }
    # A list of enumerators, or a piece of one. What calls a macro is the value of an enumerator or
    # the use of a list of rows.
    function enumerators(text,   n, i, part) {
        while (gsub(/[A-Za-z0-9_]*[ ]?\([^()]*\)/, "", text)) ;
        n = split(text, part, ",")
        for (i = 1; i <= n; i++) if (match(part[i], /^[ \t]*LP_[A-Z0-9_]+/)) {
            part[i] = substr(part[i], 1, RLENGTH)
            sub(/^[ \t]*/, "", part[i])
            note("constant", part[i])
        }
    }
    # The name that a closing brace gives to what it ends; a tag of the same name has been noted.
    function closing(text) {
        if (match(text, /\} Lp[A-Za-z0-9_]+;/)) {
            text = substr(text, RSTART + 2, RLENGTH - 3)
            if (text != tag) note("type", text)
        }
        tag = ""
    }
    FNR == 1 { tag = ""; listing = long_comment = 0 }
    /^[ \t]*#[ \t]*define[ \t]+LP_[A-Z0-9_]+/ {
        sub(/^[ \t]*#[ \t]*define[ \t]+/, "")
        sub(/[^A-Z0-9_].*/, "")
        note("macro", $0)
        next
    }
    !listing && !/^typedef |^\}|(struct|union|enum) (Lp[A-Za-z0-9_]+ )?\{/ { next }
    {
        gsub(/\/\*[^*]*\*+\//, "")
        if (long_comment) { if (!sub(/.*\*\//, "")) next; long_comment = 0 }
        if (sub(/\/\*.*/, "")) long_comment = listing
        sub(/\/\/.*/, "")
    }
    listing {
        enumerators($0 ~ /\}/ ? substr($0, 1, index($0, "}") - 1) : $0)
        if ($0 ~ /\}/) { listing = 0; closing($0) }
        next
    }
    match($0, /(struct|union|enum) Lp[A-Za-z0-9_]+ \{/) {
        text = substr($0, RSTART, RLENGTH - 2)
        sub(/.* /, "", text)
        note("type", text)
        if ($0 !~ /^[ \t]/) tag = text
    }
    match($0, /enum ([A-Za-z0-9_]+ )?\{/) {
        text = substr($0, RSTART + RLENGTH)
        listing = text !~ /\}/
        sub(/\}.*/, "", text)
        enumerators(text)
    }
    /^\}/ || /\{.*\} Lp[A-Za-z0-9_]+;/ { closing($0); next }
    /^typedef / && !/\{/ {
        if (match($0, /\(\*Lp[A-Za-z0-9_]+\)\(/)) note("type", substr($0, RSTART + 2, RLENGTH - 4))
        else if (match($0, / \*?Lp[A-Za-z0-9_]+\(/)) {
            text = substr($0, RSTART, RLENGTH - 1)
            gsub(/[ *]/, "", text)
            note("type", text)
        } else if (match($0, / \*?Lp[A-Za-z0-9_]+;/)) {
            text = substr($0, RSTART, RLENGTH - 1)
            gsub(/[ *]/, "", text)
            # typedef struct LpX LpX; only says that there is one
            if ($0 !~ ("^typedef (struct|union|enum) " text " ")) note("type", text)
        }
    }' $(printf '%s\n' $sources | grep '\.[ch]$') /dev/null >"$tmp/bad"
    verdict "layers: names" "$tmp/bad"
}
! wants names || check_names

# --- words ---------------------------------------------------------------------------------------------
# By the sources. What stands in texts of the program is none of a comment; a phrase may go on in the
# next line of one.
check_words() {
    export DENSE_PHRASES
    awk '
    BEGIN {
        phrases = split(ENVIRON["DENSE_PHRASES"], phrase, "\n")
    }
    # Phrases that end in this piece of a comment; before: the piece of the line above it.
    function look(piece,   i, text, at, found) {
        sub(/^[ \t]*\*?[ \t]*/, "", piece)
        for (i = 1; i <= phrases; i++) {
            text = before " " piece
            at = length(before) + 1
            while (match(text, "(^|[^A-Za-z])(" phrase[i] ")([^A-Za-z]|$)")) {
                found = substr(text, RSTART, RLENGTH)
                gsub(/^[^A-Za-z\/.]+|[^A-Za-z\/.]+$/, "", found)
                if (RSTART + RLENGTH - 1 > at)
                    print FILENAME ":" FNR ": \"" found "\": a comment names its subject (docs/style.md)"
                at -= RSTART + RLENGTH - 1
                text = substr(text, RSTART + RLENGTH)
            }
        }
        before = piece
    }
    FNR == 1 { inside = 0; before = "" }
    {
        line = $0
        while (line != "") {
            if (!inside) {
                if (!match(line, /"([^"\\]|\\.)*"|\/\*/)) break
                inside = substr(line, RSTART, 2) == "/*"
                if (!inside) { line = substr(line, RSTART + RLENGTH); continue }
                line = substr(line, RSTART)
                before = ""
            }
            end = index(line, "*/")
            if (end == 0) { look(line); break }
            look(substr(line, 1, end + 1))
            line = substr(line, end + 2)
            inside = 0
        }
    }' $sources /dev/null >"$tmp/bad"
    verdict "layers: words" "$tmp/bad"
}
! wants words || check_words

# --- headers that few see ------------------------------------------------------------------------------
# By what the compiler wrote down of each object.
check_seen() {
    local file missing=0 lists=
    for file in $built; do
        if [ -e "$O/${file%.c}.d" ]; then lists="$lists $O/${file%.c}.d"; else missing=$((missing + 1)); fi
    done
    if [ -z "$lists" ] || [ $missing -gt 0 ] || [ -n "$unbuilt" ]; then
        echo "skip layers: seen: not every file has a list of its headers under $O"
        return
    fi
    export SEEN SOURCES="$sources"
    awk '
    BEGIN {
        n = split(ENVIRON["SOURCES"], list, "\n")
        for (i = 1; i <= n; i++) exists[list[i]] = 1
        headers = split(ENVIRON["SEEN"], row, "\n")
        for (i = 1; i <= headers; i++) { split(row[i], part, ":"); header[i] = part[1]; most[part[1]] = part[2]; seen[part[1]] = 0 }
    }
    # only the first rule; others are for headers that are gone
    FNR == 1 { rule = 1; split("", had) }
    rule {
        for (i = 1; i <= NF; i++) if ($i in seen && !($i in had)) { had[$i] = 1; seen[$i]++ }
        rule = $NF == "\\"
    }
    END {
        for (i = 1; i <= headers; i++) {
            h = header[i]
            if (!(h in exists)) print h ": no such file; SEEN in tests/layers.sh names it"
            else if (seen[h] > most[h])
                print h ": seen by " seen[h] " objects, expected at most " most[h] "; where a header only points to its structs, \"typedef struct LpX LpX;\" is enough"
        }
    }' $lists >"$tmp/bad"
    verdict "layers: seen" "$tmp/bad"
}
! wants seen || check_seen

# --- 5. and 6. what the objects say --------------------------------------------------------------------
wants symbols || wants knots || wants globals || exit $failed
why=
case $MODE in
asan | tsan | coverage | fuzz) why="objects of MODE=$MODE are instrumented" ;;
dev) why="MODE=dev builds rooms, not files" ;;
*) [ -n "$built" ] || why="there is no object under $O" ;;
esac
if [ -n "$why" ]; then
    ! wants symbols || echo "skip layers: symbols: $why"
    ! wants knots || echo "skip layers: knots: $why"
    ! wants globals || echo "skip layers: no mutable globals: $why"
    exit $failed
fi
objects=
for file in $unbuilt; do echo "$file has no object $O/${file%.c}.o" >>"$tmp/missing"; done
for file in $built; do objects="$objects $O/${file%.c}.o"; done
if [ -e "$tmp/missing" ]; then
    verdict "layers: objects" "$tmp/missing"
    exit 1
fi

# FILE FLAGS SECTION SIZE SYMBOL for each symbol of each object
$OBJDUMP -t $objects | awk -v prefix="$O/" -F '\t' '
    /: +file format / { file = $1; sub(/: +file format .*/, "", file); file = substr(file, length(prefix) + 1) }
    /^[0-9a-f]+ / && NF == 2 {
        split($2, right, " ")
        n = split($1, left, " ")
        symbol = right[2] == ".hidden" ? right[3] : right[2]
        if (symbol != "") print file, (substr($1, 18, 1) == " " ? "-" : substr($1, 18, 1)), left[n], right[1], symbol
    }' >"$tmp/symbols"

check_symbols() {
    # What libc and libm define; empty if they cannot be found, then only the deny lists speak.
    for lib in libc.so.6 libm.so.6 ld-linux-x86-64.so.2; do
        path=$($CC -print-file-name=$lib 2>/dev/null)
        [ -e "$path" ] && $NM -D --defined-only "$path" 2>/dev/null
    done | awk '{ sub(/@.*/, "", $NF); print $NF }' >"$tmp/libc"

    awk "$RULES_AWK"'
    function plain(symbol) {  # the name in the source of a symbol as the C library spells it
        if (symbol ~ /^__isoc[0-9]+_/) sub(/^__isoc[0-9]+_/, "", symbol)
        if (symbol ~ /^__.*_chk$/) { sub(/^__/, "", symbol); sub(/_chk$/, "", symbol) }
        return symbol
    }
    function denied(from, symbol) {
        symbol = plain(symbol)
        if (from != "ui" && symbol in engine_deny) return 1
        return from in pure && (symbol in pure_deny || substr(symbol, 1, length(symbol) - 1) in float_deny && symbol ~ /[fl]$/)
    }
    function judge(file, symbol,   from, to, lib) {
        from = folder(file)
        if (symbol == ENVIRON["RELEASE_DENY"] && ENVIRON["MODE"] == "release")
            print file ": asserts in a release build: LP_ASSERT must be no code there"
        else if (file == ENVIRON["ASSERT_OBJECT"] && index(" " ENVIRON["ASSERT_SYMBOLS"] " ", " " plain(symbol) " ")) return
        else if (symbol in owner) {
            to = folder(owner[symbol])
            if (!may(from, to)) print file ": uses " symbol " of " owner[symbol] "; " from " may use:" uses[from]
            else if (from == to && !may_room(room(file), room(owner[symbol])))
                print file ": uses " symbol " of " owner[symbol] "; " room(file) " may use:" room_uses[row_of(room(file))]
        } else if (denied(from, symbol)) print file ": uses " plain(symbol) ", which " from " may not"
        else if (file == "ui/term/curses.o") return
        else if (from in lib_symbol && symbol ~ lib_symbol[from]) return
        else if (symbol in libc || symbol ~ /^_/ || symbol ~ /^lp_/) return
        else {
            for (lib in lib_symbol) if (lib != "curses" && symbol ~ lib_symbol[lib]) {
                print file ": uses " symbol ", of the library of " lib
                return
            }
            if (have_libc) print file ": uses " symbol ", which is neither libc, libm nor the library of " from
        }
    }
    BEGIN {
        load_rules()
        n = split(ENVIRON["PURE_DENY"], part, /[ \n]+/)
        for (i = 1; i <= n; i++) { pure_deny[part[i]] = 1; if (part[i] ~ /^(exp|log|pow|sin|cos|tan|asin|acos|atan|fma|cbrt|hypot|erf|tgamma|lgamma)/) float_deny[part[i]] = 1 }
        n = split(ENVIRON["ENGINE_DENY"], part, /[ \n]+/)
        for (i = 1; i <= n; i++) engine_deny[part[i]] = 1
    }
    FILENAME ~ /libc$/ { libc[$1] = 1; have_libc = 1; next }
    $3 == "*UND*" { undefined[++count] = $1 " " $5; next }
    $2 == "g" { owner[$5] = $1 }
    END {
        for (i = 1; i <= count; i++) { split(undefined[i], part, " "); judge(part[1], part[2]) }
    }' "$tmp/libc" "$tmp/symbols" >"$tmp/bad"
    verdict "layers: symbols" "$tmp/bad"
}
! wants symbols || check_symbols

# Knots: files that reach each other by symbols (the strong components of the graph, Tarjan 1972).
check_knots() {
    export FILE_KNOTS
    awk '
    function source(object) { sub(/\.o$/, ".c", object); return object }
    function visit(f,   i, n, list, g, text, size, member) {
        index_of[f] = low[f] = ++clock
        stack[++depth] = f
        on[f] = 1
        n = split(uses[f], list, " ")
        for (i = 1; i <= n; i++) {
            g = list[i]
            if (!(g in index_of)) { visit(g); if (low[g] < low[f]) low[f] = low[g] }
            else if (on[g] && index_of[g] < low[f]) low[f] = index_of[g]
        }
        if (low[f] < index_of[f]) return
        do {
            g = stack[depth--]
            on[g] = 0
            member[++size] = g
            text = text " " g
        } while (g != f)
        if (size > 1) judge(member, size, text)
    }
    function judge(member, size, text,   k, i, all) {
        for (k = 1; k <= knots; k++) {
            all = 1
            for (i = 1; i <= size && all; i++) all = member[i] ~ ("^" pattern[k] "$")
            if (all) { found[k] = 1; return }
        }
        print size " files call each other in a circle:" text
    }
    BEGIN {
        knots = split(ENVIRON["FILE_KNOTS"], line, "\n")
        for (k = 1; k <= knots; k++) { pattern[k] = line[k]; sub(/  .*/, "", pattern[k]) }
    }
    $3 == "*UND*" { undefined[++count] = source($1) " " $5; next }
    $2 == "g" { owner[$5] = source($1) }
    { files[source($1)] = 1 }
    END {
        for (i = 1; i <= count; i++) {
            split(undefined[i], part, " ")
            to = owner[part[2]]
            if (to != "" && to != part[1] && !((part[1], to) in seen)) {
                seen[part[1], to] = 1
                uses[part[1]] = uses[part[1]] " " to
            }
        }
        for (f in files) if (!(f in index_of)) visit(f)
    }' "$tmp/symbols" >"$tmp/bad"
    verdict "layers: knots" "$tmp/bad"
}
! wants knots || check_knots

check_globals() {
    awk '
    BEGIN { n = split(ENVIRON["ALLOWED_GLOBALS"], part, /[ \n]+/); for (i = 1; i <= n; i++) allowed[part[i]] = 1 }
    $3 ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $3 !~ /^\.data\.rel\.ro/ && $4 !~ /^0+$/ && $5 != $3 &&
        !(($1 ":" $5) in allowed) { print $1 ": " $5 " is a mutable global (" $3 ")" }
    ' "$tmp/symbols" >"$tmp/bad"
    verdict "layers: no mutable globals" "$tmp/bad"
}
! wants globals || check_globals

exit $failed

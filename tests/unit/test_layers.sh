#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The layers check itself: a small clean tree passes, and each planted violation is found and named.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cc=${LAYERS_CC:-gcc}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-layers.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

# write FILE: stdin becomes FILE of the current tree
write() { mkdir -p "$(dirname "$1")" && cat >"$1"; }

compile() {
    mkdir -p "build/$(dirname "$1")"
    $cc -std=c11 -O1 -fPIC -Iengine -Iui -MMD -MP -c "$1" -o "build/${1%.c}.o"
}

check() {
    LAYERS_O=build LAYERS_MODE=${mode:-release} LAYERS_CC=$cc LAYERS_NM=nm LAYERS_OBJDUMP=objdump \
        LAYERS_FLAGS='-std=c11 -Iengine -Iui' "$root/tests/layers.sh" "$@"
}

result() { # result WHETHER NAME OUTPUT
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  /' <<<"$3"
        echo "not ok $2"
        failed=1
    fi
}

mkdir "$tmp/clean" && cd "$tmp/clean" || exit 1
write engine/base/err.h <<<'int lp_base(int x);'
write engine/base/err.c <<'C'
#include "base/err.h"
#include <stdio.h>
static const char *const names[] = {"one", "two"};
typedef int (*Rule)(int);
static const Rule rules[] = {lp_base};
int lp_base(int x)
{
    char buf[9];
    snprintf(buf, sizeof buf, "%s", names[x & 1]);
    return buf[0] + (rules[0] == 0);
}
C
write engine/model/job.h <<<'int lp_model(int x);'
write engine/model/job.c <<<'#include "model/job.h"
#include "base/err.h"
int lp_model(int x) { return lp_base(x); }'
write engine/sim/step.h <<<'int lp_sim(int x);'
write engine/sim/step.c <<<'#include "sim/step.h"
#include "model/job.h"
#include <math.h>
int lp_sim(int x) { return lp_model(x) + (int)floor(sqrt(x)); }'
write engine/history/log.h <<<'int lp_history(int x);'
write engine/history/log.c <<<'#include "history/log.h"
#include "sim/step.h"
int lp_history(int x) { return lp_sim(x); }'
write engine/io/read.h <<<'int lp_io(int x);'
write engine/io/read.c <<<'#include "io/read.h"
#include <sys/stat.h>
void cJSON_Delete(void *);
int lp_io(int x) { cJSON_Delete(0); struct stat st; return stat("/", &st) + x; }'
write engine/script/host.h <<<'int lp_script(int x);'
write engine/script/host.c <<<'#include "script/host.h"
void lua_close(void *);
int lp_script(int x) { lua_close(0); return x; }'
write engine/graph/match.h <<<'int lp_graph(int x);'
write engine/graph/match.c <<<'#include "graph/match.h"
void igraph_destroy(void *);
int lp_graph(int x) { igraph_destroy(0); return x; }'
write engine/session/session.h <<<'int lp_run(int x);'
write engine/session/session.c <<<'#include "session/session.h"
#include "history/log.h"
#include "graph/match.h"
#include "script/host.h"
#include "io/read.h"
int lp_run(int x) { return lp_script(x) + lp_io(x) + lp_history(x) + lp_graph(x); }'
write ui/term/canvas.h <<<'#include "model/job.h"
int lp_canvas(int x);'
write ui/term/canvas.c <<<'#include "term/canvas.h"
#include "session/session.h"
#include <stdio.h>
int lp_canvas(int x) { puts("x"); return lp_run(x) + lp_model(x); }'
write ui/term/curses.c <<<'#include "term/canvas.h"
int initscr(void);
int lp_term(int x);
int lp_term(int x) { return lp_canvas(x) + initscr(); }'
write ui/app/app.c <<<'int lp_app(int x);
int lp_app(int x) { return x; }'
write ui/views/step/step_view.h <<<'int lp_step(int x);'
write ui/views/step/step_view.c <<<'#include "views/step/step_view.h"
int lp_step(int x) { return x; }'
for file in $(sed -n "/^SEEN='/,/'\$/p" "$root/tests/layers.sh" | sed "s/^SEEN='//; s,^engine/,,; s/\.h:.*//"); do
    write "engine/$file.h" <<<'int lp_dear(void);'
done
for file in $(find engine ui -name "*.c"); do compile "$file"; done

output=$(check) && [ "$(grep -c '^ok ' <<<"$output")" = 12 ]
result $? "a clean tree passes all twelve rules" "$output"

# plant NAME RULE PATTERN FILE: adds the C on stdin to FILE of a copy; the check of RULE must fail
# and print a line that matches PATTERN.
plant() {
    local name=$1 rule=$2 pattern=$3 file=$4 output status=1
    rm -rf "$tmp/planted" && cp -r "$tmp/clean" "$tmp/planted" && cd "$tmp/planted" || exit 1
    mkdir -p "$(dirname "$file")"
    cat >>"$file"
    case $file in
    *.c) [ "$rule" = includes ] || compile "$file" 2>/dev/null ;;
    esac
    if ! output=$(check "$rule" 2>&1) && grep -q '^not ok layers: ' <<<"$output" &&
        grep -qE "$pattern" <<<"$output"; then
        status=0
    fi
    last=$output
    result $status "found: $name" "$output"
}

plant "sim includes run" includes 'engine/sim/step.c:5: .*"session/session.h".*it may use: model base' \
    engine/sim/step.c <<<'#include "session/session.h"'
plant "base includes model" includes 'engine/base/err.c:[0-9]+: .*"model/job.h"' \
    engine/base/err.c <<<'#include "model/job.h"'
plant "a sibling includes a sibling" includes 'script may not include "graph/match.h"' \
    engine/script/host.c <<<'#include "graph/match.h"'
plant "ui includes io" includes 'ui may not include "io/read.h"' ui/term/canvas.c <<<'#include "io/read.h"'
plant "ui includes history" includes 'ui may not include "history/log.h"' \
    ui/term/canvas.h <<<'#include "history/log.h"'
plant "the engine includes ui" includes 'session may not include "term/canvas.h"' \
    engine/session/session.c <<<'#include "term/canvas.h"'
plant "an include that climbs" includes 'climbs' engine/sim/step.c <<<'#include "../base/err.h"'
plant "an include with spaces" includes 'model may not include "sim/step.h"' \
    engine/model/job.c <<<' #  include   "sim/step.h"'
plant "an include by macro" includes 'by macro' engine/model/job.c <<<'#include LP_HEADER'
plant "curses in a view" includes 'belongs to ui/term/curses.c only' ui/term/canvas.c <<<'#include <curses.h>'
plant "wide curses in the engine" includes 'belongs to ui/term/curses.c' \
    engine/session/session.c <<<'#include <ncursesw/curses.h>'
plant "inotify beside its file" includes '<sys/inotify.h> belongs to engine/io/files/watch.c only' \
    engine/io/read.c <<<'#include <sys/inotify.h>'
plant "Lua in run" includes '<lauxlib.h> belongs to engine/script/ only' \
    engine/session/session.c <<<'#include <lauxlib.h>'
plant "cJSON in script" includes 'belongs to engine/io/ only' \
    engine/script/host.c <<<'#include <cjson/cJSON.h>'
plant "igraph in ui" includes 'belongs to engine/graph/ only' ui/term/canvas.c <<<'#include <igraph/igraph.h>'
plant "a library that leaks through a header" includes 'includes <lua.h>, so only script' \
    engine/script/host.h <<<'#include <lua.h>'
plant "POSIX in sim" includes '<unistd.h> is not a header of standard C' \
    engine/sim/step.c <<<'#include <unistd.h>'
plant "zlib in session" includes 'belongs to engine/unpack/ only' engine/session/session.c <<<'#include <zlib.h>'
plant "an unknown library" includes '<bzlib.h> is neither' engine/session/session.c <<<'#include <bzlib.h>'
plant "a folder that is not in the house" includes 'folder util is not part' \
    engine/util/more.c <<<'#include <stdio.h>
extern int lp_more;'

plant "a header that needs another" headers 'engine/sim/size.h does not compile' \
    engine/sim/size.h <<<'size_t lp_size(void);'
# the build proves the header of a .c only where the .c includes it first
printf '#include <stddef.h>\n#include "sim/size.h"\n' >"$tmp/clean/engine/sim/size.c"
plant "a header that its .c does not include first" headers 'engine/sim/size.h does not compile' \
    engine/sim/size.h <<<'size_t lp_size(void);'
# ... nor by a .c that was not built
printf '#include "sim/size.h"\n' >"$tmp/clean/engine/sim/size.c"
plant "a header whose .c has no object" headers 'engine/sim/size.h does not compile' \
    engine/sim/size.h <<<'size_t lp_size(void);'
rm "$tmp/clean/engine/sim/size.c"
# ... nor by one that says something before it, be it the header that was built itself
write "$tmp/clean/engine/sim/said.h" <<<'/* What sizes are */
typedef unsigned long size_type; /* said */
#include "sim/size.h"'
write "$tmp/clean/engine/sim/said.c" <<<'#include "sim/said.h"'
write "$tmp/clean/engine/sim/size.h" <<<''
(cd "$tmp/clean" && compile engine/sim/said.c)
plant "a header that leans on what stands before it in a header" headers 'engine/sim/size.h does not compile' \
    engine/sim/size.h <<<'size_type lp_size(void);'
rm "$tmp"/clean/engine/sim/sa*.[ch] "$tmp/clean/engine/sim/size.h" "$tmp"/clean/build/engine/sim/sa*.[do]

rm -rf "$tmp/planted" && cp -r "$tmp/clean" "$tmp/planted" && cd "$tmp/planted" || exit 1
for i in {1..30}; do echo "unsigned lp_size$i(void);" >engine/sim/size$i.h; done
echo 'size_t lp_size7(void);' >engine/sim/size7.h
echo 'size_t lp_size29(void);' >engine/sim/size29.h
output=$(check headers)
told=$(grep 'does not compile on its own:$' <<<"$output" | sort)
[ "$told" = "$(printf 'engine/sim/size%s.h does not compile on its own:\n' 29 7)" ]
result $? "found: two headers of thirty, and no others" "$output"
output=$(LAYERS_ONLY='engine/sim/step.c engine/sim/size29.h engine/sim/size3.h' check headers)
[ "$(grep 'does not compile' <<<"$output")" = 'engine/sim/size29.h does not compile on its own:' ] && grep -q '^not ok' <<<"$output"
result $? "found: a header among the named files" "$output"
output=$(LAYERS_ONLY='engine/sim/step.c engine/sim/size3.h tests/size7.h' check headers) && [ "$output" = 'ok layers: each header compiles alone' ]
result $? "not found: headers that are not named" "$output"

plant "ui opens a file to write" files 'ui/term/canvas.c:[0-9]+: fopen: files are written by engine/host/write_file.c' \
    ui/term/canvas.c <<<'#include <stdio.h>
void *lp_up(void); void *lp_up(void) { return fopen("x", "w"); }'
plant "run creates a file" files 'session/session.c:[0-9]+: O_CREAT: files' \
    engine/session/session.c <<<'int lp_up(void); int lp_up(void) { return open("x", O_CREAT | O_EXCL, 0600); }'
plant "io renames a file" files 'io/read.c:[0-9]+: rename: files' \
    engine/io/read.c <<<'int rename(const char *, const char *); int lp_up(void); int lp_up(void) { return rename("a", "b"); }'

plant "run asks which fabric it is" fabrics \
    'session/session.c:[0-9]+:LP_FABRIC_RAMP: what differs between fabrics is asked of LpFabricOps' \
    engine/session/session.c <<<'int lp_up(int fabric); int lp_up(int fabric) { return fabric == LP_FABRIC_RAMP; }'
mkdir -p "$tmp/clean/engine/model/fabric"
write "$tmp/clean/engine/model/fabric/ramp.h" <<<'enum { LP_FABRIC_RAMP, LP_FABRIC_COUNT };'
plant "ui asks which fabric it is, beside what it may ask" fabrics 'ui/term/canvas.h:[0-9]+:LP_FABRIC_OCS: what' \
    ui/term/canvas.h <<<'enum { lp_all = LP_FABRIC_COUNT, lp_this = LP_FABRIC_OCS };'
if grep -qE '^engine/model/fabric/|LP_FABRIC_COUNT' <<<"$last"; then status=1; else status=0; fi
result $status "not found: the table of fabrics, and how many there are" "$last"

# a view asks the board of a fabric, and nothing else
plant "a view asks which fabric it is" boards 'ui/views/jobs/jobs_view.c:[0-9]+:ops->: a view asks LpModel.board' \
    ui/views/jobs/jobs_view.c <<<'int lp_up(const struct LpThing *f); int lp_up(const struct LpThing *f) { return f->ops->slices; }'
plant "a view asks whether jobs share links" boards 'ui/views/jobs/jobs_view.c:[0-9]+:->fabric: a view asks LpModel.board' \
    ui/views/jobs/jobs_view.c <<<'int lp_up(const struct LpModel *m); int lp_up(const struct LpModel *m) { return m->context->fabric.network != 0; }'
write "$tmp/clean/ui/views/jobs/jobs_facts.c" <<<'int lp_up(const struct LpModel *m); int lp_up(const struct LpModel *m) { return m->context->fabric.network != 0; }'
plant "a view asks for a topology, beside its facts, which may" boards 'ui/views/jobs/jobs_view.c:[0-9]+:LP_TOPOLOGY_TORUS: a view' \
    ui/views/jobs/jobs_view.c <<<'int lp_up(int t); int lp_up(int t) { return t == LP_TOPOLOGY_TORUS; }'
if grep -q 'jobs_facts' <<<"$last"; then status=1; else status=0; fi
result $status "not found: what the facts of a view look at" "$last"
rm "$tmp/clean/ui/views/jobs/jobs_facts.c"

# each kind of definition that the rule of names knows, in a file of its own, beside the same name
write "$tmp/clean/engine/sim/names.h" <<'C'
/* struct LpTold { is said in a comment only */
typedef struct LpTagged LpTagged;
typedef struct LpTagged {
    struct LpNested {
        int of;
    } nested;
} LpTagged;
typedef enum LpListed { LP_FIRST, LP_SECOND = sizeof(char[1 + (LP_FIRST)]) } LpListed;
typedef struct {
    int of;
} LpNameless;
typedef int (*LpCalled)(const LpTagged *,
                        int);
typedef int LpFunction(int);
typedef unsigned LpNumber;
struct LpOther;
enum {
    LP_THIRD, /* LP_FOURTH, is not one */
    LP_FIFTH = LP_FIRST,
};
#define LP_MACRO(x) LP_THIRD
#ifdef LP_MACRO
#define LP_BRANCH 1
#else
#define LP_BRANCH 2
#endif
C
# twice KIND NAME C: a file of its own defines NAME once more; all of them are found by one check
rm -rf "$tmp/planted" && cp -r "$tmp/clean" "$tmp/planted" && cd "$tmp/planted" || exit 1
twice=()
twice() {
    write "engine/sim/twice${#twice[@]}.c" <<<"$3"
    twice+=("$1 $2")
}
twice type LpTagged 'struct LpTagged {
    int of;
};'
twice type LpTagged 'typedef struct { int of; } LpTagged;'
twice type LpNested 'typedef union LpNested { int of; } LpOf;'
twice type LpListed 'typedef enum LpListed { ONE } LpListed;'
twice type LpNameless 'typedef struct {
    int as;
} LpNameless;'
twice type LpNameless 'typedef struct LpAlias {
    int as;
} LpNameless;'
twice type LpCalled 'typedef void (*LpCalled)(void);'
twice type LpFunction 'typedef const char *LpFunction(int of,
                                int as);'
twice type LpNumber 'typedef const struct LpAlias *LpNumber;'
twice constant LP_SECOND 'enum LpMore { LP_ZEROTH, LP_SECOND };'
twice constant LP_THIRD 'enum {
    LP_NOUGHT = (2), /* { */
    LP_THIRD,
};'
twice macro LP_FIFTH '#define LP_FIFTH 5'
twice macro LP_MACRO '#  define LP_MACRO(x) 5'
write engine/sim/other.c <<'C'
typedef struct LpTagged LpTagged;
struct LpTagged;
/* enum LpListed { LP_FOURTH }; LP_FIRST, typedef int LpNumber;
 typedef int LpNumber; */
typedef struct Plan {
    struct LpTagged *of; /* LP_FIRST */
    enum LpListed (*as)(unsigned LP_SECOND);
} Plan;
C
output=$(check names)
for i in "${!twice[@]}"; do
    grep -qE "^engine/sim/twice$i.c:[0-9]+: the ${twice[i]} is also defined at engine/sim/names.h:[0-9]+; one name" <<<"$output"
    result $? "found: the ${twice[i]} twice in the program, as in twice$i.c" "$output"
done
[ "$(grep -c '^engine/' <<<"$output")" = ${#twice[@]} ] && grep -qx 'not ok layers: names' <<<"$output"
result $? "not found: declarations, members, comments, and branches of an #if" "$output"
rm "$tmp/clean/engine/sim/names.h"

plant "base calls sim" symbols 'base/err.o: uses lp_sim of engine/sim/step.o' \
    engine/base/err.c <<<'int lp_sim(int x); int lp_up(void); int lp_up(void) { return lp_sim(1); }'
plant "io calls script" symbols 'io/read.o: uses lp_script of' \
    engine/io/read.c <<<'int lp_script(int x); int lp_up(void); int lp_up(void) { return lp_script(1); }'
plant "ui calls history" symbols 'ui/term/canvas.o: uses lp_history' \
    ui/term/canvas.c <<<'int lp_history(int x); int lp_up(void); int lp_up(void) { return lp_history(1); }'
plant "sim closes a Lua state" symbols 'uses lua_close, of the library of script' \
    engine/sim/step.c <<<'void lua_close(void *); void lp_up(void); void lp_up(void) { lua_close(0); }'
plant "script frees JSON" symbols 'uses cJSON_Delete, of the library of io' \
    engine/script/host.c <<<'void cJSON_Delete(void *); void lp_up(void); void lp_up(void) { cJSON_Delete(0); }'
plant "run draws a screen" symbols 'uses initscr, which is neither' \
    engine/session/session.c <<<'int initscr(void); int lp_up(void); int lp_up(void) { return initscr(); }'
plant "sim reads the clock" symbols 'step.o: uses clock_gettime, which sim may not' \
    engine/sim/step.c <<<'int clock_gettime(int, void *); int lp_up(void *p); int lp_up(void *p) { return clock_gettime(0, p); }'
plant "sim uses a logarithm" symbols 'uses logf?, which sim may not' \
    engine/sim/step.c <<<'double lp_up(double x); double lp_up(double x) { return log(x); }'
plant "model prints" symbols 'uses (printf|puts), which model may not' \
    engine/model/job.c <<<'#include <stdio.h>
void lp_up(int x); void lp_up(int x) { printf("%d", x); }'
plant "history opens a file" symbols 'uses fopen, which history may not' \
    engine/history/log.c <<<'#include <stdio.h>
void *lp_up(void); void *lp_up(void) { return fopen("x", "r"); }'
plant "script draws by rand" symbols 'uses rand, which script may not' \
    engine/script/host.c <<<'#include <stdlib.h>
int lp_up(void); int lp_up(void) { return rand(); }'
plant "<assert.h> in the engine" includes '<assert.h> depends on NDEBUG; "base/assert.h" has LP_ASSERT' \
    engine/sim/step.c <<<'#include <assert.h>'
plant "model ends the process" symbols 'uses abort, which model may not' \
    engine/model/job.c <<<'#include <stdlib.h>
void lp_up(void); void lp_up(void) { abort(); }'
plant "ui asserts in a release build" symbols 'ui/term/canvas.o: asserts in a release build' \
    ui/term/canvas.c <<<'void lp_assert_failed(const char *, int, const char *);
void lp_up(void); void lp_up(void) { lp_assert_failed("", 1, ""); }'
mkdir -p "$tmp/clean/engine/base"
(cd "$tmp/clean" && write engine/base/assert.c <<<'#include <stdio.h>
#include <stdlib.h>
void lp_assert_failed(void); void lp_assert_failed(void) { fprintf(stderr, "x"); abort(); }' && compile engine/base/assert.c)
output=$(cd "$tmp/clean" && mode=debug check symbols)
result $? "not found: where a failed assertion ends" "$output"
rm "$tmp/clean/engine/base/assert.c" "$tmp/clean/build/engine/base/assert.o"

cat >>"$tmp/clean/engine/history/log.c" <<<'int lp_more(int x); int lp_less(int x); int lp_less(int x) { return lp_more(x); }'
(cd "$tmp/clean" && compile engine/history/log.c)
plant "two files call each other" knots '2 files call each other in a circle: .*engine/history/log.c' \
    engine/history/more.c <<<'int lp_history(int x); int lp_more(int x); int lp_more(int x) { return lp_history(x); }'

plant "a static counter" globals 'engine/sim/step.o: (lp_up.)?calls.* is a mutable global' \
    engine/sim/step.c <<<'int lp_up(void); int lp_up(void) { static int calls; return ++calls; }'
plant "an initialised global" globals 'ui/term/canvas.o: lp_count is a mutable global' \
    ui/term/canvas.c <<<'int lp_count = 3;'
plant "a table of pointers without const" globals 'lp_table is a mutable global' \
    engine/session/session.c <<<'const char *lp_table[] = {"a", "b"};'
plant "a thread's global" globals 'lp_slot is a mutable global' \
    engine/session/session.c <<<'_Thread_local int lp_slot;'

plant "a comment leaves its subject out" words '^engine/base/err.h:[0-9]+: "So many": a comment names its subject' \
    engine/base/err.h <<<'/* So many are left. */'
plant "a comment goes on from the one above it" words '^engine/model/job.c:[0-9]+: "/\* ...": a comment' \
    engine/model/job.c <<<'/* ... and what is left */'
plant "a phrase over two lines" words '^engine/base/err.h:[0-9]+: "The same of": a comment' \
    engine/base/err.h <<<$'/* What a job waits for. The\n * same of its deadline. */'
rm -rf "$tmp/planted" && cp -r "$tmp/clean" "$tmp/planted" && cd "$tmp/planted" || exit 1
echo 'static const char *const lp_said[] = {"so many", "/* ... */"}; /* as many as those of a job */' >>engine/base/err.h
output=$(check words) && [ "$output" = 'ok layers: words' ]
result $? "not found: texts, and other sentences" "$output"

plant "a room includes one above it" includes 'host may not include "session/session.h"; it may use:' \
    engine/host/paths.c <<<'#include "session/session.h"'
plant "a room calls one above it" symbols 'host/paths.o: uses lp_run of engine/session/session.o; host may' \
    engine/host/paths.c <<<'int lp_run(int x); int lp_up(void); int lp_up(void) { return lp_run(1); }'
plant "widgets call the explorer" symbols 'ui/widgets/widgets_list.o: uses lp_app of ui/app/app.o; ui/widgets may use: ui/term' \
    ui/widgets/widgets_list.c <<<'int lp_app(int x); int lp_up(void); int lp_up(void) { return lp_app(1); }'
plant "a view knows another one" includes 'ui/views/jobs may not include "views/step/step_view.h"; it may use: ui/board ui/glossary ui/moment' \
    ui/views/jobs/jobs_view.c <<<'#include "views/step/step_view.h"'
plant "a view calls the explorer" symbols 'ui/views/jobs/jobs_view.o: uses lp_app of ui/app/app.o; ui/views/jobs may use: ui/board ui/glossary ui/moment' \
    ui/views/jobs/jobs_view.c <<<'int lp_app(int x); int lp_up(void); int lp_up(void) { return lp_app(1); }'
plant "the picture of a moment calls a view" symbols 'ui/moment/model.o: uses lp_step of ui/views/step/step_view.o; ui/moment may' \
    ui/moment/model.c <<<'int lp_step(int x); int lp_up(void); int lp_up(void) { return lp_step(1); }'
plant "a room that nobody knows" rooms 'ask/cellar: no room of the house' \
    engine/ask/cellar/wine.c <<<'extern int lp_more;'
# rooms where a file is a thing of a kind: one more of them passes, however many there are
rm -rf "$tmp/planted" && cp -r "$tmp/clean" "$tmp/planted" && cd "$tmp/planted" || exit 1
write ui/cli/cli.c <<<'static const LpCommand *const commands[] = {&lp_command_run1};'
write engine/io/scenario/numbers.c <<<'extern int lp_more;'
write engine/script/views/turns.c <<<'extern int lp_more;'
write engine/model/fabric/best.c <<<'extern int lp_more;'
mkdir -p engine/ask/inspect
for i in {1..20}; do
    printf '%s\n' 'static const LpCommand list_command = {0};' "const LpCommand lp_command_run$i = {" >ui/cli/run$i.c
    echo 'static const LpJsonKey part_keys[] = {' >engine/io/scenario/part$i.c
    echo "const LpProxyClass lp_proxy_view$i = {" >engine/script/views/view$i.c
    echo "int lp_api_asked$i(lua_State *L) {" >engine/script/views/asked$i.c
    echo "const LpFabricOps lp_fabric_ring$i = {" >engine/model/fabric/ring$i.c
    echo 'extern int lp_more;' | tee engine/ask/inspect/thing$i.h engine/ask/inspect/thing$i.c >engine/ask/inspect/thing${i}_more_text.c
done
output=$(check rooms) && [ "$output" = 'ok layers: rooms' ]
result $? "not found: twenty files more in each room that has a file for each thing" "$output"
write ui/cli/other.c <<<'const LpCommand *lp_command_other(void);'
write ui/cli/named.c <<<'const LpCommand lp_command_other = {'
printf 'const LpCommand lp_command_%s = {\n' run3 also >ui/cli/run3.c
write engine/io/scenario/other.c <<<'LpErr lp_load_other(void);'
write engine/script/views/other.c <<<'static int lp_api_other(lua_State *L) {'
write engine/model/fabric/other.c <<<'const LpFabricOps lp_fabric_ring = {'
write engine/ask/inspect/other_text.c <<<'extern int lp_more;'
output=$(check rooms)
for file in 'ui/cli/other.c: a file of ui/cli is one command ' 'ui/cli/named.c: a file of ui/cli is one command ' \
    'ui/cli/run3.c: a file of ui/cli is one command ' 'engine/io/scenario/other.c: a file of io/scenario is an object of the scenario format ' \
    'engine/script/views/other.c: a file of script/views is ' 'engine/model/fabric/other.c: a file of model/fabric is one fabric ' \
    'engine/ask/inspect/other_text.c: a file of ask/inspect is '; do
    grep -qF "$file" <<<"$output" && grep -qx 'not ok layers: rooms' <<<"$output"
    result $? "found: ${file%%:*} is no such file" "$output"
done
[ "$(grep -c '^[eu]' <<<"$output")" = 7 ]
result $? "not found: the other files of these rooms" "$output"

# seen N: the check of a tree where N objects have seen a header
seen() {
    rm -rf "$tmp/planted" && cp -r "$tmp/clean" "$tmp/planted" && cd "$tmp/planted" || exit 1
    mkdir -p engine/sim/step build/engine/sim/step
    for ((i = 1; i <= $1; i++)); do
        : >engine/sim/step/see$i.c
        : >build/engine/sim/step/see$i.o
        printf '%s\n' "build/engine/sim/step/see$i.o: engine/sim/step/see$i.c engine/base/err.h \\" \
            ' engine/model/device/device.h engine/model/job.h engine/model/device/device.h' \
            engine/model/device/device.h: >build/engine/sim/step/see$i.d
    done
    # what stands after the first rule is not seen
    : >engine/sim/step/blind.c
    : >build/engine/sim/step/blind.o
    printf '%s\n' 'build/engine/sim/step/blind.o: engine/sim/step/blind.c' engine/model/device/device.h: \
        >build/engine/sim/step/blind.d
    output=$(check seen)
}
most=$(sed -n "s/^\(SEEN='\)\{0,1\}engine\/model\/device\/device.h:\([0-9]*\).*/\2/p" "$root/tests/layers.sh")
seen "$most"
[ "$output" = 'ok layers: seen' ]
result $? "not found: a header that $most objects see" "$output"
seen $((most + 1))
grep -q "^engine/model/device/device.h: seen by $((most + 1)) objects, expected at most $most; " <<<"$output" && grep -qx 'not ok layers: seen' <<<"$output"
result $? "found: a header that one object too many sees" "$output"
rm build/engine/sim/step/see1.d
output=$(check seen) && grep -q '^skip layers: seen: not every file has' <<<"$output"
result $? "skipped: not every object says what it has seen" "$output"
seen 1
rm engine/model/device/device.h
! output=$(check seen) && grep -q '^engine/model/device/device.h: no such file; SEEN' <<<"$output"
result $? "found: a header to be seen by few that is gone" "$output"

cd "$tmp/clean" && for i in $(seq 15); do write engine/host/file$i.c <<<'extern int lp_more;'; done
plant "a crowded room" rooms 'host: 16 .c files, expected at most 15' \
    engine/host/paths.c <<<'extern int lp_more;'
rm -r "$tmp/clean/engine/host"

rm -rf "$tmp/planted" && cp -r "$tmp/clean" "$tmp/planted" && cd "$tmp/planted" || exit 1
rm build/engine/sim/step.o
output=$(check) || grep -qx 'not ok layers: objects' <<<"$output"
result $? "found: a source without an object" "$output"

cd "$tmp/clean" || exit 1
output=$(mode=asan check) && [ "$(grep -c '^skip ' <<<"$output")" = 3 ]
result $? "instrumented objects are skipped, with the reason" "$output"

output=$(mode=dev check) && [ "$(grep -c '^skip .*: MODE=dev builds rooms' <<<"$output")" = 3 ] && grep -q '^skip layers: seen' <<<"$output"
result $? "objects of rooms are skipped, with the reason" "$output"

rm -r build
output=$(check) && [ "$(grep -c '^skip .*: there is no object under build' <<<"$output")" = 3 ] && [ "$(grep -c '^ok ' <<<"$output")" = 8 ]
result $? "without objects what reads them is skipped, with the reason" "$output"

exit $failed

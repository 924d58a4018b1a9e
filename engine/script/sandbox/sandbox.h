/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sandbox: a Lua state whose memory, work and environment are ours. Everything that Lua does
 * happens inside lp_sandbox_call; nothing a script does outlives its budget. */
#ifndef LP_SCRIPT_SANDBOX_H
#define LP_SCRIPT_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <lauxlib.h>
#include <lua.h>

#include "base/err.h"
#include "base/str.h"
#include "script/sandbox/fault.h"
#include "script/sandbox/heap.h"

enum {
    LP_SANDBOX_STRING = 64 * 1024, /* bytes of the longest string */
    LP_SANDBOX_UNPACK = 250,       /* values that one call may spread on the stack */
    LP_SANDBOX_OUTPUT = 16 * 1024, /* bytes of print() kept until they are taken */
    LP_SANDBOX_NODE = 24,          /* bytes of a table's key and value in Lua 5.4 */
    LP_SANDBOX_CHAIN = 256         /* keys of a table, or short texts, that fall in one place */
};

/* Work is counted in units of about one VM instruction; memory and C functions are charged for what
 * they cost beyond that, so that nothing dear is cheap. */
typedef struct LpSandboxLimits {
    uint64_t work;  /* units in one call */
    size_t memory;  /* bytes of the whole state */
    double seconds; /* of processor time in one call: a stop for people, never a result */
} LpSandboxLimits;

/* Why a call was stopped; a stop cannot be caught by the script. */
typedef enum LpStop {
    LP_STOP_NONE,
    LP_STOP_WORK,
    LP_STOP_MEMORY,
    LP_STOP_WIDE,  /* too many arguments in one call */
    LP_STOP_CHAIN, /* a table with too many keys that collide, or too many texts that do */
    LP_STOP_TIME,
    LP_STOP_ENGINE /* the engine itself failed; its diagnosis is kept */
} LpStop;

/* Why memory was refused. */
typedef enum LpRefusal { LP_REFUSED_BYTES, LP_REFUSED_STRING, LP_REFUSED_STACK } LpRefusal;

typedef struct LpPlace {
    char file[LUA_IDSIZE];
    int line; /* 0: unknown */
} LpPlace;

/* The state as every call finds it (script/sandbox/image.c), and what of its account goes with it.
 */
typedef struct LpSandboxImage {
    LpHeapImage heap;
    struct LpNodes *array;
    size_t arrays, array_next, used, block;
    uint32_t chain, texts;
    uint64_t naming;
    const void *stack, *plain;
    size_t stack_bytes, plain_bytes;
} LpSandboxImage;

typedef struct LpSandbox {
    lua_State *L;
    void *host;    /* what API functions belong to */
    lua_Hook hook; /* looks at the budget now and then */
    LpSandboxLimits limits;
    const char *chunk;         /* name of the main script in messages, without its folder */
    const char *path;          /* as opened; goes into diagnoses */
    size_t used, peak;         /* bytes */
    size_t block;              /* bytes of the largest block ever: it sets prices */
    struct LpNodes *array;     /* arrays of tables' keys (script/sandbox/chains.c) */
    size_t arrays, array_room; /* of `array`: how many there are, and have room */
    size_t array_next;         /* of `array`: the one looked at last */
    uint32_t chain;            /* the most keys that collide in one of `array` */
    const char *text; /* the short text made last, NULL for none (script/sandbox/chains.c) */
    uint32_t texts;   /* the most short texts that were found in one place */
    uint64_t naming;  /* steps of naming a value in an error, at most */
    LpLuaHeap heap;
    LpSandboxImage *image; /* NULL: a call finds what the last one left */
    uint64_t restored;     /* bytes copied back so far, over all calls */
    void *state;           /* the first block that Lua asked for */
    size_t state_bytes;
    bool seeded;       /* the seed in `state` is ours */
    const void *stack; /* Lua's stack of values */
    const void *plain; /* the last block that is no object */
    size_t stack_bytes, plain_bytes;
    LpRefusal refusal; /* the last one */
    bool running;
    int64_t left;                     /* units left in this call */
    uint64_t spent;                   /* units of the calls since lp_sandbox_reset_spent */
    uint32_t chance, interval, looks; /* when the hook looks next, in instructions */
    bool deep;                        /* calls were nested deeply */
    struct LpLines *lines;            /* of the chunks loaded (script/sandbox/price.c) */
    struct timespec start, start_cpu; /* of this call */
    bool timed;                       /* start_cpu is set */
    uint64_t unwatched;               /* units since a C function last looked at the clock */
    double engine_seconds;            /* of this call spent in predictions */
    LpStop stop;
    LpFault phase;           /* what an error is now, if nothing stopped the call */
    LpPlace place;           /* of the stop or error */
    char unread[LUA_IDSIZE]; /* a file that is no Lua; "" for none */
    LpPlace returned;        /* line that the outermost Lua function last returned from */
    LpDiag engine;           /* with LP_STOP_ENGINE */
    char trace[1024];        /* calls under way at the error */
    char doing[80];          /* "partition(job 5)", put before messages; "" for none */
    LpBuf output;
    bool output_cut;
} LpSandbox;

/* Makes the state and its environment. limits must be complete. chunk and path are borrowed for the
 * life of the sandbox. Errors: LP_ENOMEM; LP_EBUDGET when the limits are too small for the
 * environment; LP_EREFUSED for a Lua library whose tables would differ from run to run. On failure
 * nothing is left to close. */
LpErr lp_sandbox_open(LpSandbox *sandbox, const LpSandboxLimits *limits, const char *chunk,
                      const char *path, void *host, LpDiag *diag) LP_MUST_USE;
void lp_sandbox_close(LpSandbox *sandbox); /* zeroed: nothing happens */

/* From here on every call finds the state as it is now, to the last byte and address: nothing that
 * earlier calls did shows in what it does, costs or refuses. LP_ENOMEM: as before. */
LpErr lp_sandbox_keep(LpSandbox *sandbox, LpDiag *diag) LP_MUST_USE;
/* From here on a call finds what the last one left. */
void lp_sandbox_let_go(LpSandbox *sandbox);

/* Runs body with `argument` (light userdata at stack index 1) under fresh budgets. Errors:
 * LP_ESCRIPT the script failed, LP_EBUDGET it was stopped (sandbox->stop says why), or
 * the engine's error with LP_STOP_ENGINE. diag has file and line. */
LpErr lp_sandbox_call(LpSandbox *sandbox, lua_CFunction body, void *argument,
                      LpDiag *diag) LP_MUST_USE;

static inline LpSandbox *lp_sandbox_of(lua_State *L) {
    return *(LpSandbox **)lua_getextraspace(L);
}

/* From here on every instruction looks at the budget; only fields are set, so the allocator may
 * call this. */
static inline void lp_sandbox_arm(LpSandbox *sandbox) {
    if (sandbox->L && sandbox->running)
        lua_sethook(sandbox->L, sandbox->hook, LUA_MASKCOUNT, 1);
}
/* Takes units off the budget; raises nothing, but the next instruction will. */
static inline void lp_sandbox_spend(LpSandbox *sandbox, uint64_t units) {
    sandbox->spent += units;
    sandbox->left = units < (uint64_t)sandbox->left ? sandbox->left - (int64_t)units : 0;
    if (sandbox->left == 0)
        lp_sandbox_arm(sandbox);
}

/* ---- budget (script/sandbox/budget.c) ---- */

/* Units of naming a value in an error that is caught. */
uint64_t lp_sandbox_naming(const LpSandbox *sandbox);
/* Starts the budget of work anew (a call may consist of several hooks). */
void lp_sandbox_refill(LpSandbox *sandbox);
/* Looks at the budget now and then from here on: at the start of a call. */
void lp_sandbox_watch(LpSandbox *sandbox);
void lp_sandbox_hook(lua_State *L, lua_Debug *info);
/* Stops the call for a reason that the script cannot catch; does not return. */
int lp_sandbox_stop(lua_State *L, LpStop why);
/* Keeps the calls under way, innermost first; C functions are left out. */
void lp_sandbox_note_trace(lua_State *L);

/* ---- what went wrong (script/sandbox/error.c) ---- */

/* Message handler: notes the place, makes a text of other values. */
int lp_sandbox_on_error(lua_State *L);
/* The error of a call that ended with this status of Lua; diag (NULL allowed) says what and where.
 */
LpErr lp_sandbox_explain(LpSandbox *sandbox, int status, LpDiag *diag);

/* ---- for C functions called by scripts; each may raise ---- */

/* Charges units of work done in C. */
void lp_sandbox_charge(lua_State *L, uint64_t units);
static inline void lp_sandbox_charge_some(lua_State *L, uint64_t units) {
    if (units > 0)
        lp_sandbox_charge(L, units);
}
/* luaL_checkinteger, luaL_optinteger and luaL_checknumber, charged for texts that are read as
 * numbers. */
lua_Integer lp_arg_integer(lua_State *L, int index);
lua_Integer lp_arg_opt_integer(lua_State *L, int index, lua_Integer otherwise);
lua_Number lp_arg_number(lua_State *L, int index);
/* Seconds spent in the engine since then are not the script's. */
void lp_sandbox_extend(LpSandbox *sandbox, const struct timespec *since);
/* Ends the call with an error of the engine; does not return. */
int lp_sandbox_fail_engine(lua_State *L, const LpDiag *diag);
/* Pushes the chunk as a function in the sandbox's environment. Text only; a syntax error raises. */
void lp_sandbox_load(lua_State *L, const char *text, size_t len, const char *chunk);
/* pcall as scripts see it. */
int lp_sandbox_pcall(lua_State *L);
/* Where the innermost running Lua function stands; line 0 when there is none. */
LpPlace lp_sandbox_place(lua_State *L);
/* Copies the text (or number) at index, as much as fits; NUL bytes are shown as \x00. */
void lp_sandbox_copy_text(lua_State *L, int index, char *out, size_t size);
/* Pushes a value as text without addresses (calls __tostring). */
const char *lp_sandbox_tostring(lua_State *L, int index, size_t *len);

/* ---- memory (script/sandbox/memory.c) ---- */

/* Lua's allocator; user: the sandbox. */
void *lp_sandbox_allocate(void *user, void *old, size_t old_size, size_t size);
/* Whether the state works with our seed. */
bool lp_sandbox_check_seed(lua_State *L);

/* ---- the state as calls find it (script/sandbox/image.c) ---- */

/* Back to what was kept; the state runs nothing. */
void lp_image_restore(LpSandbox *sandbox);

/* ---- prices (script/sandbox/price.c) ---- */

/* In a count hook: units of one instruction at what the running function works on now; *looking:
 * those of finding out. */
uint64_t lp_price_instruction(lua_State *L, lua_Debug *info, uint64_t *looking);
/* Units of reading a text once; of making the number at index a text (0: it is none); of a walk
 * over all slots of a table. */
uint64_t lp_price_text(const char *text, size_t len);
uint64_t lp_price_number_text(lua_State *L, int index);
uint64_t lp_price_walk(const LpSandbox *sandbox);
/* Notes what the lines of a chunk may hold; false when out of memory. */
bool lp_price_add_chunk(LpSandbox *sandbox, const char *chunk, const char *text, size_t len);
void lp_price_free(LpSandbox *sandbox);
/* Raises for a source that would keep the parser busy. */
void lp_price_check_source(lua_State *L, const char *chunk, const char *text, size_t len);

/* ---- keys that collide (script/sandbox/chains.c) ---- */

/* Whether a block of that size may hold the keys of a table that is watched. */
bool lp_chains_watches(size_t size);
/* Zeroes the new block, and watches it. LP_ELIMIT: the keys that Lua will fill in from a full array
 * would collide; LP_ENOMEM. */
LpErr lp_chains_add(LpSandbox *sandbox, void *block, size_t size) LP_MUST_USE;
void lp_chains_drop(LpSandbox *sandbox, const void *block); /* unknown: nothing happens */
/* Looks at what was filled in since the last time, in a few arrays; false: too many collide. */
bool lp_chains_find(LpSandbox *sandbox);
/* Units that any instruction may cost beside its own, since it may search the longest chain. */
uint64_t lp_chains_price(const LpSandbox *sandbox);
/* Units of finding the length of a list, which are many searches. */
uint64_t lp_chains_length(const LpSandbox *sandbox);
/* Whether this Lua keeps and hashes keys as is assumed here. */
bool lp_chains_check(lua_State *L);
void lp_chains_free(LpSandbox *sandbox);
/* A copy of what is watched, the caller's (lp_free); and back to it. */
LpErr lp_chains_save(const LpSandbox *sandbox, struct LpNodes **copy, LpDiag *diag) LP_MUST_USE;
void lp_chains_restore(LpSandbox *sandbox, const struct LpNodes *copy, size_t arrays);

/* ---- texts that collide (script/sandbox/chains.c) ---- */

/* A new text of `size` bytes, which Lua will fill in now: looks how many texts fall in the same
 * place as the text before it, and charges for them. False: far too many. */
bool lp_texts_add(LpSandbox *sandbox, const void *text, size_t size);
/* Whether this Lua keeps and hashes texts as is assumed here. */
bool lp_texts_check(lua_State *L);

/* ---- environment (script/sandbox/env.c) ---- */

/* Pushes the environment for a chunk. */
void lp_env_push(lua_State *L);
/* Makes the value on top a global of scripts, and pops it. */
void lp_env_define(lua_State *L, const char *name);
/* Makes the table of functions on top a global of scripts, and pops it. The table becomes
 * read-only; an unknown name in it is an error. */
void lp_env_define_library(lua_State *L, const char *name);
/* Makes the table of functions on top a read-only one, in which an unknown name is an error, and
 * sets it as that field of the table below. */
void lp_env_add_library(lua_State *L, const char *name);
/* The table on top becomes the environment, and is popped. */
void lp_env_set(lua_State *L);
/* Replaces the table on top by a read-only one with the same contents. `what` names it in messages
 * ("job.hint"). */
void lp_env_lock(lua_State *L, const char *what);
/* If the value at index is a read-only table, pushes its contents and returns true. */
bool lp_env_unlock(lua_State *L, int index);
/* Pushes " (did you mean 'x'?)" for the nearest string key of the table at index, or "". */
void lp_env_push_nearest(lua_State *L, int index, const char *name);
/* Pushes " (did you mean 'x'?)" for the nearest of `names`, or "". */
void lp_env_push_nearest_of(lua_State *L, const char *name, const char *const *names, size_t count);

/* Functions that scripts can hold. As keys of tables those without an upvalue would go by their
 * address in the program, which differs from run to run; these have one. */
void lp_env_push_function(lua_State *L, lua_CFunction function);
void lp_env_set_functions(lua_State *L, const luaL_Reg *list); /* fields of the table on top */
/* lua_pushstring without its cache, which goes by addresses. NULL pushes nil. */
void lp_push_text(lua_State *L, const char *text);

/* ---- libraries (script/sandbox/libraries.c, base.c, string.c, sandbox_table.c) ---- */

/* Builds the environment of scripts; called once inside the first call. */
void lp_env_open(lua_State *L);
/* Each pushes one table of functions. */
void lp_env_push_string(lua_State *L);
void lp_env_push_table(lua_State *L);
void lp_env_push_math(lua_State *L);
/* Copies functions of Lua's, whose arguments are numbers, from the table at index `from` to the
 * table on top. */
void lp_env_copy_counting(lua_State *L, int from, const char *const *names, size_t count);
/* Adds the basic functions to the table on top. */
void lp_env_add_base(lua_State *L);

/* ---- order of keys (script/sandbox/sandbox_keys.c) ---- */

/* Pushes a list of the keys of the table at index (raw), in an order that is the same in every run:
 * numbers, then strings by bytes, then false, true. Returns how many. Raises for keys that have no
 * such order (tables, functions, views). */
lua_Integer lp_sorted_push(lua_State *L, int index);
int lp_sorted_pairs(lua_State *L); /* pairs(t) */
int lp_sorted_next(lua_State *L);  /* next(t [, key]), O(size) */

/* ---- JSON as Lua data (script/sandbox/sandbox_json.c) ---- */

/* Pushes a JSON text as Lua data: objects and arrays as read-only tables called `what`, null as
 * nil. Raises for what is no JSON. */
void lp_sandbox_push_json(lua_State *L, const char *text, const char *what);

#endif

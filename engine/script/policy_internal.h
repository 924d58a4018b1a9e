/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of script/ share about one policy: its Lua state, the call in progress, and the
 * buffers that answers point into. */
#ifndef LP_SCRIPT_POLICY_INTERNAL_H
#define LP_SCRIPT_POLICY_INTERNAL_H

#include "base/mem.h"
#include "script/api_table.h"
#include "script/policy.h"
#include "script/proxy.h"
#include "script/sandbox.h"

typedef enum LpHook {
#define X(name, signature, doc) LP_HOOK_##name,
    LP_API_HOOKS(X)
#undef X
        LP_HOOK_COUNT
} LpHook;

typedef enum LpListKind { LP_LIST_RUNNING, LP_LIST_WAITING, LP_LIST_COUNT } LpListKind;

/* A growing array of numbers. */
typedef struct LpNumbers {
    uint32_t *item;
    size_t cap;
    uint32_t count;
} LpNumbers;

struct LpPolicy {
    LpSandbox sandbox;
    LpArena *arena; /* texts and parameters */
    char *name, *doc, *path, *chunk, *source;
    size_t source_len;
    uint64_t hash;
    size_t result; /* entries of a returned list */
    LpScriptServices services;
    uint32_t params;
    LpPolicyParamInfo *param;
    bool has_hook[LP_HOOK_COUNT];
    /* references in the Lua registry */
    int hook[LP_HOOK_COUNT], self, jobs, cluster, proxy_class[LP_PROXY_COUNT];

    /* the call in progress; context is NULL between calls */
    uint64_t generation; /* views of another generation are dead */
    const LpContext *context;
    const LpWorld *world;
    uint32_t job; /* being decided */
    LpRng *rng;
    uint32_t pending; /* degree answered by partition, 0: none yet */
    uint64_t predictions;

    LpNumbers cached;              /* jobs with a view in the table `jobs` */
    LpNumbers list[LP_LIST_COUNT]; /* ids, filled on first use */
    bool listed[LP_LIST_COUNT];
    LpNumbers degrees, block, taken; /* scratch of the cluster's methods */
    /* what answers point to; `try_` those of predictions, so that they do not disturb each other */
    LpNumbers ways, servers, part_begin, part_server, try_ways, try_servers;
    LpAnswer answer;
    char why[LP_WHY_TEXT], where[LUA_IDSIZE + 16];
    LpBuf output; /* handed out by lp_policy_take_output */
};

static inline LpPolicy *lp_policy_of(lua_State *L) {
    return lp_sandbox_of(L)->host;
}

/* Makes room for `need` numbers; raises when out of memory or beyond the policy's result limit. */
void lp_numbers_reserve(lua_State *L, LpNumbers *numbers, size_t need);

/* ---- answers.c: what hooks return; each raises, naming what was returned and expected ---- */

/* Reads the three results at index.. into the policy's answer. */
void lp_hook_read_partition(lua_State *L, int index);
void lp_hook_read_place(lua_State *L, int index);
void lp_hook_read_order(lua_State *L, int index, LpOrder *order);
/* Fills an answer from predict's options at index (nil: none). */
void lp_hook_read_options(lua_State *L, int index, const LpJob *job, LpAnswer *answer);
/* Whole number in [min, max] at index, or an error that calls it `what`. */
lua_Integer lp_hook_whole(lua_State *L, int index, const char *what, lua_Integer min,
                          lua_Integer max);
/* Pushes a short description of a value: "four", 4, a table ... */
const char *lp_hook_describe(lua_State *L, int index);

/* ---- params.c ---- */

/* Reads the declarations in the policy table at index, applies the values given, and pushes the
 * table `self.p`. */
void lp_params_push(lua_State *L, int index, const LpPolicyParam *given, uint32_t count,
                    const LpScenario *scenario);

/* ---- sandbox_json.c ---- */

/* Pushes a JSON text as Lua data: objects and arrays as read-only tables called `what`, null as
 * nil. Raises for what is no JSON. */
void lp_sandbox_push_json(lua_State *L, const char *text, const char *what);

/* ---- policy_file.c ---- */

/* Reads a regular file of at most 1 MiB; *text is the caller's (lp_free). */
LpErr lp_policy_read(const char *path, char **text, size_t *len, LpDiag *diag) LP_MUST_USE;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of script/ share about one policy: its Lua state, the call in progress, and the
 * buffers that answers point into. */
#ifndef LP_SCRIPT_POLICY_INTERNAL_H
#define LP_SCRIPT_POLICY_INTERNAL_H

#include "base/mem.h"
#include "script/api_table.h"
#include "script/policy.h"
#include "script/sandbox/sandbox.h"
#include "script/views/proxy.h"
#include "sim/light/circuits.h"

typedef enum LpHook {
#define X(name, signature, doc) LP_HOOK_##name,
    LP_API_HOOKS(X)
#undef X
        LP_HOOK_COUNT
} LpHook;

enum { LP_EXPLAIN_TEXT = 41 }; /* bytes of a cell */

typedef enum LpListKind { LP_LIST_RUNNING, LP_LIST_WAITING, LP_LIST_COUNT } LpListKind;

/* A growing array of numbers. */
typedef struct LpNumbers {
    uint32_t *item;
    size_t cap;
    uint32_t count;
} LpNumbers;

/* What explain{} keeps; the texts are in `text`. */
typedef struct LpExplainStore {
    bool set;
    LpExplain view;
    size_t used;
    const char *column[LP_EXPLAIN_COLUMNS];
    const char *cell[LP_EXPLAIN_COLUMNS * LP_EXPLAIN_ROWS];
    char text[(LP_EXPLAIN_ROWS + 1) * LP_EXPLAIN_COLUMNS * LP_EXPLAIN_TEXT];
} LpExplainStore;

/* An action whose servers are in the policy's list `moved` from `first` on, or its links in `link`.
 */
typedef struct LpReadAction {
    LpAction action;
    uint32_t first;
} LpReadAction;

/* Parts and flows, see proxy_step.c. */
typedef struct LpStepView {
    bool open;         /* partition and place have answered */
    bool known;        /* what they answered is worked out ... */
    LpStepOf answered; /* ... and is this; no placement: it cannot be placed */
    bool flows_known;
    LpStepOf flows_of; /* whose flows these are */
    LpFlow *flow;
    size_t flow_cap;
    uint32_t flows;
} LpStepView;

/* A growing array of priorities. */
typedef struct LpPriorities {
    double *item;
    size_t cap;
    uint32_t count;
} LpPriorities;

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
    int hook[LP_HOOK_COUNT], self, mem, jobs, cluster, proxy_class[LP_PROXY_COUNT];

    /* the call in progress; context is NULL between calls */
    uint64_t generation; /* views of another generation are dead */
    const LpContext *context;
    const LpWorld *real;  /* the world that is asked about */
    const LpWorld *world; /* the one that the view in use shows: the real one or a clone */
    uint32_t world_at;    /* 0: the real one, else clone[world_at - 1] */
    uint32_t job;         /* being decided, LP_NO_INDEX: none */
    LpRng *rng;
    uint32_t pending; /* degree answered by partition, 0: none yet */
    uint64_t predictions;
    const LpEvent *event; /* being reviewed */
    void *query;          /* result of a query in progress (query.c) */

    LpWorld **clone; /* worlds of cluster:after, in this call */
    size_t clone_cap;
    uint32_t clones;
    size_t clone_bytes;
    LpWorld *spare;    /* an old clone, to be used again */
    LpWorld *judge;    /* the clone on which costs are worked out ... */
    uint32_t judge_of; /* ... of this world */
    bool judging;      /* it is of this call */

    LpNumbers cached;              /* jobs with a view in the table `jobs` */
    LpNumbers list[LP_LIST_COUNT]; /* ids, filled on first use */
    bool listed[LP_LIST_COUNT];
    uint32_t list_of[LP_LIST_COUNT]; /* world_at of the list */
    LpNumbers degrees, block, taken; /* scratch of the cluster's methods */
    /* what answers point to; `try_` those of predictions, so that they do not disturb each other */
    LpNumbers ways, servers, part_begin, part_server, try_ways, try_servers;
    LpPriorities op_order, flow_order, try_op_order, try_flow_order;
    LpStepView step;
    LpNumbers priced;       /* steps that this call has paid for */
    LpNumbers queue, moved; /* jobs being ordered; servers of actions */
    LpRegroupLink *link;    /* links of actions */
    size_t link_cap, links;
    uint32_t *circuit, entries; /* what configure answered */
    double *hold;
    size_t circuit_cap, hold_cap;
    LpReadAction *read; /* actions as they are read ... */
    size_t read_cap;
    uint32_t reads;
    LpAction *action; /* ... and as they are handed out */
    size_t action_cap;
    LpExplainStore *explain;       /* NULL until it is used */
    LpBuf mem_bytes, mem_next;     /* self.mem after the last call, and after this one */
    bool mem_stale;                /* self.mem is not what mem_bytes says */
    struct LpPolicyModule *module; /* files that were required, by name */
    uint32_t modules;
    bool loading;
    void **network; /* the host's objects */
    size_t network_cap;
    uint32_t networks;
    double *score; /* room for scores and mask of the largest network */
    size_t score_cap;
    char *folder; /* of the policy's file, with its last slash */
    LpAnswer answer;
    char why[LP_WHY_TEXT], where[LUA_IDSIZE + 16];
    LpBuf output; /* handed out by lp_policy_take_output */
};

static inline LpPolicy *lp_policy_of(lua_State *L) {
    return lp_sandbox_of(L)->host;
}

static inline const LpWorld *lp_policy_world_at(const LpPolicy *p, uint32_t at) {
    return at == 0 ? p->real : p->clone[at - 1];
}

/* Lets p->world be the world that a view shows. */
static inline void lp_policy_enter(LpPolicy *p, uint32_t at) {
    p->world = lp_policy_world_at(p, at);
    p->world_at = at;
    lp_world_show(p->world, p->context);
}

/* --- policy_call.c ----------------------------------------------------------------------- */

extern const char *const lp_hook_names[LP_HOOK_COUNT];

/* Runs body as one call on the policy: views live, self.mem is kept afterwards, a failing script
 * sets *failed and its message is the reason. Errors: of the engine, and LP_EBUDGET for time. */
LpErr lp_policy_run(LpPolicy *p, const LpContext *context, const LpWorld *world, LpRng *rng,
                    lua_CFunction body, bool *failed, LpDiag *diag) LP_MUST_USE;
/* Calls a hook: begin pushes it with self, then its arguments are pushed, then finish calls it with
 * so many of them and returns the stack index of the first of its three results. */
void lp_hook_begin(lua_State *L, LpPolicy *p, LpHook hook, const char *doing);
int lp_hook_finish(lua_State *L, LpPolicy *p, int arguments);
/* Remembers the line where the hook returned from, if it gave the reason that counts. */
/* Makes the name of a required file in a failure its path. */
void lp_policy_find_file(const LpPolicy *p, LpDiag *diag);
void lp_hook_note_where(LpPolicy *p, bool reason);

/* --- mem.c ------------------------------------------------------------------------------- */

/* Writes self.mem into p->mem_next; raises, naming the path, for what cannot be kept. */
void lp_mem_write(lua_State *L);
/* Makes self.mem what p->mem_bytes says. */
void lp_mem_restore(lua_State *L);
/* What mem_next says now counts. */
void lp_mem_commit(LpPolicy *p);

/* --- explain.c, algorithms.c, require.c --------------------------------------------------- */

void lp_api_open_explain(lua_State *L); /* each defines its globals */
void lp_api_open_algorithms(lua_State *L);
void lp_api_open_require(lua_State *L);
/* Reads a file and keeps its text with the policy (for its hash, for session files, for watching
 * it). param: the parameter whose network it is, NULL for a script that is required. Raises. */
const struct LpPolicyModule *lp_policy_take_file(lua_State *L, const char *param, const char *name,
                                                 const char *path);
/* Text of a policy's file that was required: for its hash. */
typedef struct LpPolicyModule {
    const char *name, *path, *text;
    const char *param; /* whose network it is; NULL: it was required */
    size_t len;
    uint64_t hash;
} LpPolicyModule;

/* --- network.c --------------------------------------------------------------------------- */

/* Replaces the name of a network's file on top of the stack by the network. Raises; `given`: the
 * name is not the default; param is kept. */
void lp_network_push(lua_State *L, const char *param, const LpPolicyParam *given);

/* --- hook_actions.c ----------------------------------------------------------------------- */

/* Appends the action at index to p->read; `what` names it in messages ("action 2"). */
void lp_action_read(lua_State *L, int index, const char *what);
/* Forgets the actions read. */
void lp_action_reset(LpPolicy *p);
/* Action i of those read; its servers are valid until another one is read. */
LpAction lp_action_get(const LpPolicy *p, uint32_t i);
/* Results of order_queue into p->queue, of review into p->read. */
void lp_hook_read_queue(lua_State *L, int index);
void lp_hook_read_review(lua_State *L, int index);

/* ---- optics.c ---- */

/* Pushes the table that configure and cluster:optics() show; the fabric has circuit switches. */
void lp_optics_push(lua_State *L);
/* Appends the links in the list on top of the stack to p->link; returns how many. */
uint32_t lp_optics_read_links(lua_State *L, const char *what);

/* Makes room for `need` numbers; raises when out of memory or beyond the policy's result limit. */
void lp_numbers_reserve(lua_State *L, LpNumbers *numbers, size_t need);

/* ---- answers.c: what hooks return; each raises, naming what was returned and expected ---- */

/* Reads the three results at index.. into the policy's answer. */
void lp_hook_read_partition(lua_State *L, int index);
void lp_hook_read_place(lua_State *L, int index);
void lp_hook_read_order(lua_State *L, int index, bool flows);
/* Reads the reason at index into the policy's answer. */
void lp_hook_read_why(lua_State *L, int index);
/* Appends the list of server ids at index to out. */
void lp_hook_read_servers(lua_State *L, int index, const char *what, LpNumbers *out);
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

/* ---- script/sandbox/json.c ---- */

/* Pushes a JSON text as Lua data: objects and arrays as read-only tables called `what`, null as
 * nil. Raises for what is no JSON. */
void lp_sandbox_push_json(lua_State *L, const char *text, const char *what);

/* ---- policy_file.c ---- */

/* Reads a regular file of at most `most` bytes; *text is the caller's (lp_free), has *len bytes and
 * a NUL behind them. files NULL: the disk. Errors: LP_EIO, LP_ELIMIT, LP_EPARSE (a NUL byte, with
 * its place), LP_ENOMEM. */
enum { LP_POLICY_SOURCE_MAX = 1 << 20 };
/* Faults of syntax: LP_ESCRIPT for compiled Lua code, LP_EPARSE where the text has a NUL byte. */
LpErr lp_policy_check_text(const char *path, const char *text, size_t len,
                           LpDiag *diag) LP_MUST_USE;
LpErr lp_policy_read(const LpFiles *files, const char *path, size_t most, char **text, size_t *len,
                     LpDiag *diag) LP_MUST_USE;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of script/ share about one policy: its Lua state, the call in progress, and the
 * buffers that answers point into. */
#ifndef LP_SCRIPT_POLICY_INTERNAL_H
#define LP_SCRIPT_POLICY_INTERNAL_H

#include "base/mem.h"
#include "script/policy/api_table.h"
#include "script/policy/policy.h"
#include "script/sandbox/sandbox.h"
#include "sim/state/state.h"
#include "sim/turns/turns.h"

typedef enum LpHook {
#define X(name, signature, doc) LP_HOOK_##name,
    LP_API_HOOKS(X)
#undef X
        LP_HOOK_COUNT
} LpHook;

/* The classes of views (script/views/proxy.h); the policy keeps a metatable of each. */
typedef enum LpProxyKind {
    LP_PROXY_JOB,
    LP_PROXY_JOBS, /* cluster.running, cluster.waiting: item says which */
    LP_PROXY_OPS,
    LP_PROXY_OP,
    LP_PROXY_DEPS,
    LP_PROXY_DEP,
    LP_PROXY_PARTS,
    LP_PROXY_PART,
    LP_PROXY_FLOWS,
    LP_PROXY_FLOW,
    LP_PROXY_CLUSTER,
    LP_PROXY_FORECAST,
    LP_PROXY_BLOCK,
    LP_PROXY_SLICES,
    LP_PROXY_SLICE,       /* item: row of the scenario's slices */
    LP_PROXY_OBSERVATION, /* item: the encoding's number */
    LP_PROXY_NETWORK,     /* item: index in the policy; outlives the call */
    LP_PROXY_COUNT
} LpProxyKind;

/* A job cut and placed: indices in the store. */
typedef struct LpStepOf {
    uint32_t partition, placement;
} LpStepOf;

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

/* Parts and flows, see script/views/proxy_step.c. */
typedef struct LpStepView {
    bool open;         /* partition and place have answered */
    bool known;        /* `answered` is worked out */
    LpStepOf answered; /* what partition and place answered; no placement: it cannot be placed */
    bool flows_known;
    LpStepOf flows_of; /* whose flows these are */
    LpFlow *flow;
    size_t flow_cap;
    uint32_t flows;
} LpStepView;

/* The turns of the step that was answered, see script/phase.c. */
typedef struct LpHookPhases {
    LpTurnTransfer *turn;
    size_t cap;
    uint32_t count, at; /* at: the one that is asked about */
    uint32_t said;      /* of them were answered with orders, not nil */
    double delay, step_time;
    LpTurnOrders orders; /* the usual ones */
    bool asking;         /* forecasts meanwhile have the usual orders */
} LpHookPhases;

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
    uint32_t queue_rule;
    bool queue_unlisted; /* order_queue is given no queue */
    char *behind;
    double key; /* that queue_key answered */
    /* references in the Lua registry */
    int hook[LP_HOOK_COUNT], self, mem, jobs, cluster, proxy_class[LP_PROXY_COUNT];
    const struct LpProxyClass *const *classes; /* of views, by LpProxyKind */

    /* Puts what the hook `phase` says of an answer into it, for a forecast (phase.c). */
    void (*foresee)(lua_State *L, struct LpPolicy *p, uint32_t job, LpAnswer *answer);

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
    LpHook asked;         /* last; of a call that failed the one that did */
    const LpEvent *event; /* being reviewed */
    bool recovers;        /* the hook failure answered, and this */
    LpRecovery recovery;
    LpSwap *swap; /* of it */
    size_t swap_cap;
    LpNumbers swaps; /* the same as they are read, from and to in turn */
    void *query;     /* result of a query in progress (query.c) */

    LpWorld **clone; /* worlds of cluster:after, in this call */
    size_t clone_cap;
    uint32_t clones;
    size_t clone_bytes;
    LpWorld *spare;    /* an old clone, to be used again */
    LpWorld *judge;    /* the clone on which costs are worked out */
    uint32_t judge_of; /* the `world_at` of which `judge` is a clone */
    bool judging;      /* it is of this call */

    LpNumbers cached;              /* jobs with a view in the table `jobs` */
    LpNumbers list[LP_LIST_COUNT]; /* ids, filled on first use */
    bool listed[LP_LIST_COUNT];
    uint32_t list_of[LP_LIST_COUNT]; /* world_at of the list */
    LpNumbers degrees, block, taken; /* scratch of the cluster's methods */
    struct LpBlockScratch *blocks;   /* the same, of scores of blocks; NULL: not yet */
    /* what answers point to; `try_` those of predictions, so that they do not disturb each other */
    LpNumbers ways, servers, part_begin, part_server, try_ways, try_servers;
    LpPriorities op_order, flow_order, try_op_order, try_flow_order;
    LpPriorities slice_times; /* all_to_all and all_reduce of slices as they lie, -1: not yet */
    LpStepView step;
    LpHookPhases phases;
    LpNumbers priced;       /* steps that this call has paid for */
    LpNumbers queue, moved; /* jobs being ordered; servers of actions */
    bool ordered;           /* the hook answered with a list */
    LpRegroupLink *link;    /* links of actions */
    size_t link_cap, links;
    uint32_t *circuit, entries; /* what configure answered */
    double *hold;
    size_t circuit_cap, hold_cap;
    LpReadAction *read; /* actions as they are read */
    size_t read_cap;
    uint32_t reads;
    LpAction *action; /* actions as they are handed out */
    size_t action_cap;
    LpExplainStore *explain;       /* NULL until it is used */
    LpBuf mem_bytes, mem_next;     /* self.mem after the last call, and after this one */
    LpBuf mem_before;              /* a forecast (phase.c) */
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

/* The context of the world that a view shows: to be asked for routes, blocks and steps. */
static inline const LpContext *lp_policy_context(const LpPolicy *p) {
    return lp_world_context(p->world, p->context);
}

static inline const LpWorld *lp_policy_world_at(const LpPolicy *p, uint32_t at) {
    return at == 0 ? p->real : p->clone[at - 1];
}

/* Lets p->world be the world that a view shows. */
static inline void lp_policy_enter(LpPolicy *p, uint32_t at) {
    p->world = lp_policy_world_at(p, at);
    p->world_at = at;
}

/* ---- modules.c ---- */

/* Text of a policy's file that was required: for its hash. */
typedef struct LpPolicyModule {
    const char *name, *path, *text;
    const char *param; /* whose network it is; NULL: it was required */
    size_t len;
    uint64_t hash;
} LpPolicyModule;

/* Reads a file and keeps its text with the policy (for its hash, for session files, for watching
 * it). param: the parameter whose network it is, NULL for a script that is required. Raises. */
const LpPolicyModule *lp_policy_take_file(lua_State *L, const char *param, const char *name,
                                          const char *path);

/* ---- mem.c ---- */

/* Writes self.mem into p->mem_next; raises, naming the path, for what cannot be kept. */
void lp_mem_write(lua_State *L);
/* Makes self.mem what p->mem_bytes says. */
void lp_mem_restore(lua_State *L);
/* What mem_next says now counts. */
void lp_mem_commit(LpPolicy *p);

/* Makes room for `need` numbers; raises when out of memory or beyond the policy's result limit. */
void lp_numbers_reserve(lua_State *L, LpNumbers *numbers, size_t need);

/* ---- answers.c: what hooks return; each raises, naming what was returned and expected ---- */

/* Reads the three results at index.. into the policy's answer. */
void lp_hook_read_partition(lua_State *L, int index);
/* Is the table at index a plan, by its keys? */
bool lp_hook_is_plan(lua_State *L, int index);
/* { tensor =, pipeline =, ... } of a job of this graph; what is missing is 1, none, false, wait
 * true, and the graph's batch. Raises an error that begins with `what`. */
void lp_hook_read_plan(lua_State *L, int index, const char *what, const LpGraph *graph,
                       LpParallel *out);
/* The same table, with `servers`. */
void lp_hook_push_plan(lua_State *L, const LpParallel *plan);
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
/* Is it a whole number of this range? *out is set to what it is when it is whole at all. */
bool lp_hook_is_whole(lua_State *L, int index, lua_Integer min, lua_Integer max, lua_Integer *out);
/* Pushes a short description of a value, such as "four", 4 or a table. */
const char *lp_hook_describe(lua_State *L, int index);

/* ---- file.c ---- */

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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies in Lua: one sandboxed state per policy, asked for answers, never given the world to
 * write. The contract of scripts is API 1 (docs). */
#ifndef LP_SCRIPT_POLICY_H
#define LP_SCRIPT_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/files.h"
#include "sim/action.h"
#include "sim/context.h"
#include "sim/state/state.h"

enum { LP_POLICY_API = 1 };

enum { LP_POLICY_INSTRUCTIONS = 5000000 }; /* default budget of one hook */

/* Budgets of one hook call, and what a call may return. 0: default. */
typedef struct LpPolicyLimits {
    uint64_t instructions; /* VM instructions, default LP_POLICY_INSTRUCTIONS */
    size_t memory;         /* bytes of the whole state, default 64 MiB */
    size_t result;         /* entries of a returned list, default 1 million */
    double seconds;        /* processor time of the script in one call, default 10: a stop for
                              people, never a result (lp_policy_decide fails with LP_EBUDGET) */
} LpPolicyLimits;

/* A demand as a sum of weighted permutations: row i of term t is joined with column
 * match[t * n + i] for weight[t]. */
typedef struct LpScriptBvn {
    uint32_t n, terms;
    uint32_t *match;
    double *weight;
    double residue;
} LpScriptBvn;

/* The entries of an n x n matrix that are not 0; rows and columns from 0. */
typedef struct LpScriptSparse {
    uint32_t n, entries;
    const uint32_t *row, *column;
    const double *value;
} LpScriptSparse;

/* A directed graph: edge e leads from src[e] to dst[e]; nodes are 0 .. nodes-1. */
typedef struct LpScriptEdges {
    uint32_t nodes, edges;
    const uint32_t *src, *dst;
} LpScriptEdges;

/* What there is to know about a network. */
typedef struct LpScriptNetwork {
    const char *encoding; /* name */
    int number;           /* network_encoding of it */
    uint32_t actions;
} LpScriptNetwork;

/* A host's algorithms, handed over so that script/ needs no sibling folder: NULL, or a table in
 * which any may be missing (a script that calls one is told so). All are pure functions of their
 * arguments; matrices are row-major; UINT32_MAX stands for "no column", "no edge". What each
 * computes and refuses: graph/match.h, graph/flow.h, graph/paths.h. */
typedef struct LpScriptServices {
    /* lp_match_max_weight, lp_match_assignment, lp_match_value */
    LpErr (*max_weight)(const double *weight, uint32_t rows, uint32_t columns, uint32_t *out,
                        LpDiag *diag);
    LpErr (*assignment)(const double *cost, uint32_t n, uint32_t *out, LpDiag *diag);
    LpErr (*value)(const double *weight, uint32_t rows, uint32_t columns, const uint32_t *match,
                   double *value, LpDiag *diag);
    /* lp_match_bvn; bvn_free must be set when bvn is, and is called on success only */
    LpErr (*bvn)(const double *demand, uint32_t n, LpScriptBvn *out, LpDiag *diag);
    void (*bvn_free)(LpScriptBvn *bvn);
    /* lp_match_sparse, lp_match_sparse_bvn: within *steps, which become those that were taken */
    LpErr (*sparse_max_weight)(const LpScriptSparse *weight, uint32_t *out, double *value,
                               uint64_t *steps, LpDiag *diag);
    LpErr (*sparse_bvn)(const LpScriptSparse *demand, LpScriptBvn *out, uint64_t *steps,
                        LpDiag *diag);
    /* lp_graph_topological, lp_graph_max_flow, lp_graph_shortest */
    LpErr (*topological)(const LpScriptEdges *edges, uint32_t *order, uint32_t *depth,
                         LpDiag *diag);
    LpErr (*max_flow)(const LpScriptEdges *edges, const double *capacity, uint32_t source,
                      uint32_t target, double *value, double *flow, LpDiag *diag);
    LpErr (*shortest)(const LpScriptEdges *edges, const double *weight, uint32_t source,
                      double *distance, uint32_t *parent, LpDiag *diag);
    /* Seconds that an intact slice takes for 1 MB from each accelerator to each other one, and for
     * an all-reduce of 1 GB; NAN where finding out would take seconds. */
    LpErr (*slice_times)(const LpPod *pod, const LpSlice *slice, double *all_to_all,
                         double *all_reduce, LpDiag *diag);
    /* Networks: NULL, or all of them. What a policy is given is the host's object, made from the
     * text of a file and given back at the end; scores are the same for the same world. mask has a
     * number per action, 0: closed. Names are valid as long as the network. */
    LpErr (*network_open)(const char *path, const char *text, size_t len, void **out, LpDiag *diag);
    void (*network_close)(void *network);
    int (*network_encoding)(const char *name); /* its number, -1: unknown */
    LpScriptNetwork (*network_facts)(const void *network);
    /* *degree 0: declines, UINT32_MAX: lets the job wait */
    void (*network_action)(const void *network, uint32_t action, bool plans, uint32_t *degree,
                           const char **rule);
    /* scores, mask: `actions` numbers each; scores, mask, value NULL: not asked for */
    LpErr (*network_scores)(void *network, const LpContext *context, const LpWorld *world,
                            uint32_t job, double *scores, double *mask, double *value,
                            LpDiag *diag);
    /* *count 0: the engine places, or there is no block; server has room for all servers */
    LpErr (*network_place)(void *network, const LpContext *context, const LpWorld *world,
                           uint32_t job, uint32_t action, uint32_t *server, uint32_t *count,
                           LpDiag *diag);
    /* Of networks that let jobs wait; LP_EINVAL for others. The action that is taken, and after how
     * many seconds a job that is to wait is offered again (0: on the next completion); a job's
     * priority; jobs that stop for a waiting one (victim: room for all running ones). */
    LpErr (*network_choose)(void *network, const LpContext *context, const LpWorld *world,
                            uint32_t job, uint32_t *action, double *retry, LpDiag *diag);
    LpErr (*network_priority)(void *network, const LpContext *context, const LpWorld *world,
                              uint32_t job, double *priority, LpDiag *diag);
    LpErr (*network_give_way)(void *network, const LpContext *context, const LpWorld *world,
                              uint32_t job, uint32_t *victim, uint32_t *count, LpDiag *diag);
    /* folders in which require() looks after the policy's own (".../scripts/lib"); NULL ends the
     * list, NULL: none; borrowed while the policy loads */
    const char *const *library;
    bool saved; /* its text comes from a session: hooks that are no more are passed over */
    /* where its files come from, NULL: the disk; borrowed while the policy loads */
    const LpFiles *files;
} LpScriptServices;

typedef struct LpPolicy LpPolicy;

/* One parameter as declared by the script, with its value. */
typedef struct LpPolicyParamInfo {
    const char *name, *doc, *type; /* "number", "integer", "boolean", "string", "network" */
    char value[64];                /* as text */
} LpPolicyParamInfo;

/* Reads and runs the script file (text only), checks the contract (a table with name, api = 1,
 * known hooks), and sets parameters: the policy's defaults; `max_degree` without a value is the
 * scenario's; then `params` (value as JSON text) typed by the declaration. Errors: LP_EIO,
 * LP_EPARSE for a NUL byte, LP_ESCRIPT with file:line in diag, LP_EINVAL for an unknown parameter
 * (nearest name) or a value of the wrong type. *out is owned by the caller; outlives nothing it
 * borrows (it copies). */
LpErr lp_policy_load(const char *path, const LpPolicyParam *params, uint32_t count,
                     const LpScenario *scenario, const LpPolicyLimits *limits,
                     const LpScriptServices *services, LpPolicy **out, LpDiag *diag) LP_MUST_USE;
/* The same from source text; name is what messages call it. LP_EPARSE: it has a NUL byte. */
LpErr lp_policy_load_text(const char *name, const char *source, size_t len,
                          const LpPolicyParam *params, uint32_t count, const LpScenario *scenario,
                          const LpPolicyLimits *limits, const LpScriptServices *services,
                          LpPolicy **out, LpDiag *diag) LP_MUST_USE;
void lp_policy_free(LpPolicy *policy); /* NULL allowed */
/* Every call finds the script as it was when it was loaded: what hooks change outside of self.mem
 * is forgotten. After this, which is for checks and tests, it lasts from call to call instead. */
void lp_policy_let_last(LpPolicy *policy);
/* After lp_policy_let_last, between calls: a number that changes with whatever the hooks keep
 * outside of self.mem, comparable for this policy only. False: there is no memory to find it. Costs
 * a walk over all that they reach. */
bool lp_policy_variables(LpPolicy *policy, uint64_t *hash) LP_MUST_USE;

const char *lp_policy_name(const LpPolicy *policy);
const char *lp_policy_doc(const LpPolicy *policy); /* "" when none */
const char *lp_policy_path(const LpPolicy *policy);
const char *lp_policy_source(const LpPolicy *policy); /* text of the file */
/* Of source, parameters and the files that it requires. */
uint64_t lp_policy_hash(const LpPolicy *policy);
/* Files that the policy was made of, with the folder as it was named: its own, then what it
 * required, by name. For watching them. */
uint32_t lp_policy_files(const LpPolicy *policy);
const char *lp_policy_file(const LpPolicy *policy, uint32_t index);
/* The parameter whose network the file is; NULL for scripts. */
const char *lp_policy_file_param(const LpPolicy *policy, uint32_t index);
/* The text of one of them as it was when the policy was loaded; *len bytes. */
const char *lp_policy_text(const LpPolicy *policy, uint32_t index, size_t *len);
/* Does the script define this hook ("review")? False for a name that is no hook. */
bool lp_policy_has_hook(const LpPolicy *policy, const char *name);
uint32_t lp_policy_params(const LpPolicy *policy);
LpPolicyParamInfo lp_policy_param(const LpPolicy *policy, uint32_t index);
/* The host's networks that parameters of type "network" gave it, in the parameters' order; *param
 * is the parameter's number. */
uint32_t lp_policy_networks(const LpPolicy *policy);
void *lp_policy_network(const LpPolicy *policy, uint32_t index, uint32_t *param);

/* Asks the hooks for an answer to the job whose decision is due. The answer's pointers are valid
 * until the next call on this policy. rng: the policy's stream, advanced by self:rand().
 * A script that fails gives a DECLINE answer with cause POLICY_ERROR, LP_OK, and *failed set with
 * the message in diag: the run goes on. Errors: LP_ENOMEM of the engine, LP_EBUDGET when the script
 * took more processor time than its limit (the run stops there; the answer is not set). */
LpErr lp_policy_decide(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                       uint32_t job, LpRng *rng, LpAnswer *answer, bool *failed,
                       LpDiag *diag) LP_MUST_USE;

/* Asks order_queue in which order waiting jobs are offered (after LP_EVENT_ROUND). In: jobs, *count
 * of them, those of this round in queue order (lp_world_round); none where the policy wants no
 * list, and then the world judges who may be named. Out: *order, the answer, *count of them, each
 * at most once; a job left out waits this round. *order is NULL without the hook, when it returns
 * nil and after a failure, for an order that is unchanged; it is valid until the next call on this
 * policy. *failed, diag and errors as for lp_policy_decide. */
LpErr lp_policy_order_queue(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                            LpRng *rng, const uint32_t *jobs, uint32_t *count,
                            const uint32_t **order, bool *failed, LpDiag *diag) LP_MUST_USE;
/* How the queue is ordered by keys. */
typedef struct LpPolicyQueue {
    bool keyed;         /* queue_key says where a job stands */
    bool unlisted;      /* order_queue wants no list of the round */
    uint32_t rule;      /* bits of sim/queue/rank.h */
    const char *behind; /* why a job waits that is not asked; %d: the first one's number */
} LpPolicyQueue;
LpPolicyQueue lp_policy_queue(const LpPolicy *policy);
/* Asks queue_key for the key of a job that waits or is to be decided; 0 without the hook and after
 * a failure. *failed, diag and errors as above. */
LpErr lp_policy_queue_key(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                          uint32_t job, LpRng *rng, double *key, bool *failed,
                          LpDiag *diag) LP_MUST_USE;
/* Asks review what to do about an event that has just happened: *count actions in order, none
 * without the hook, on nil and after a failure; only their form was judged (lp_world_act judges the
 * rest). They are valid until the next call on this policy. *failed, diag and errors as above. */
LpErr lp_policy_review(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                       const LpEvent *event, LpRng *rng, const LpAction **actions, uint32_t *count,
                       bool *failed, LpDiag *diag) LP_MUST_USE;
/* Asks configure what circuit switches are to join: *out has entries 0 where nothing is to change
 * (no hook, no switches, nil, a failure); its lists are valid until the next call on this policy.
 * Only the form is judged (lp_world_configure judges the rest). *failed, diag and errors as above.
 */
LpErr lp_policy_configure(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                          LpRng *rng, LpSchedule *out, bool *failed, LpDiag *diag) LP_MUST_USE;
/* Asks failure what a job does that a failure stopped: *out is NULL where the scenario answers (no
 * hook, nil, a failure of the script); valid until the next call on this policy. Only the form is
 * judged (lp_world_recover judges the rest). *failed, diag and errors as above. */
LpErr lp_policy_failure(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                        uint32_t job, LpRng *rng, const LpRecovery **out, bool *failed,
                        LpDiag *diag) LP_MUST_USE;
/* Reason that the hooks of the last call gave; after a failure the message. NULL when there is
 * none. Valid until the next call. */
const char *lp_policy_why(const LpPolicy *policy);
/* Sets file and line of diag to where the hook of the last call returned: what the cluster refuses
 * was answered there. Nothing where that is not known. */
void lp_policy_blame(const LpPolicy *policy, LpDiag *diag);
/* Calls that were under way when the last call failed, innermost first, one "file:line: in what"
 * per line; "" when it did not fail or nothing is known. */
const char *lp_policy_traceback(const LpPolicy *policy);
/* The last hook that was called, as messages name it: "partition(job 5)", "review(wake)". */
const char *lp_policy_call(const LpPolicy *policy);

/* self.mem as bytes: what lp_world_set_mem stores after every call, so that a rewind or a fork can
 * give it back to the policy. The same contents give the same bytes on every machine; an empty
 * table has none. */
/* Makes self.mem what the bytes say (len 0: empty); cheap when it is that already. Errors:
 * LP_EINVAL for bytes that lp_policy_mem did not make; LP_EBUDGET when the policy's memory does not
 * hold it; LP_ENOMEM. self.mem is empty after an error. */
LpErr lp_policy_set_mem(LpPolicy *policy, const void *bytes, size_t len, LpDiag *diag) LP_MUST_USE;
/* self.mem after the last call, at most LP_POLICY_MEM bytes; valid until the next call. A call that
 * failed leaves it as it was before: nothing that a failing hook wrote lasts. Data that cannot be
 * kept (functions, views, cycles, more than 64 KiB) makes the call fail, naming the path. */
const void *lp_policy_mem(const LpPolicy *policy, size_t *len);

/* Candidates that the script weighed: explain{ columns = , rows = , chosen = }. */
enum { LP_EXPLAIN_COLUMNS = 16, LP_EXPLAIN_ROWS = 64 };
typedef struct LpExplain {
    uint32_t columns, rows;
    const char *const *column; /* titles */
    const char *const *cell;   /* rows x columns; safe on a terminal, at most 40 bytes each */
    int32_t chosen;            /* row from 0 on, -1: none */
} LpExplain;
/* Explanation of the last call, NULL when it explained nothing; valid until the next call. */
const LpExplain *lp_policy_explain(const LpPolicy *policy);

/* Use of the budgets in the last call. */
typedef struct LpPolicyUse {
    uint64_t instructions, predictions;
    size_t memory;
    uint64_t restored; /* bytes of the heap copied back before calls, over all calls so far */
} LpPolicyUse;
LpPolicyUse lp_policy_use(const LpPolicy *policy);
/* What print() wrote since the last call of this function; "" when nothing. Cut at 16 KiB. */
const char *lp_policy_take_output(LpPolicy *policy);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies in Lua: one sandboxed state per policy, asked for answers, never given the world to
 * write. The contract of scripts is API 1 (docs). */
#ifndef LP_SCRIPT_POLICY_H
#define LP_SCRIPT_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/world.h"

enum { LP_POLICY_API = 1 };

/* Budgets of one hook call, and what a call may return. 0: default. */
typedef struct LpPolicyLimits {
    uint64_t instructions; /* VM instructions, default 20 million */
    size_t memory;         /* bytes of the whole state, default 64 MiB */
    size_t result;         /* entries of a returned list, default 1 million */
    double seconds;        /* processor time of the script in one call, default 2: a stop for
                              people, never a result (lp_policy_decide fails with LP_EBUDGET) */
} LpPolicyLimits;

/* A host's algorithms, handed over so that script/ needs no sibling folder; may be NULL. */
typedef struct LpScriptServices {
    /* maximum-weight matching of an n x m matrix: out[i] = column or UINT32_MAX */
    LpErr (*max_weight)(const double *weight, uint32_t rows, uint32_t columns, uint32_t *out,
                        LpDiag *diag);
} LpScriptServices;

typedef struct LpPolicy LpPolicy;

/* One parameter as declared by the script, with its value. */
typedef struct LpPolicyParamInfo {
    const char *name, *doc, *type; /* "number", "integer", "boolean", "string" */
    char value[64];                /* as text */
} LpPolicyParamInfo;

/* Reads and runs the script file (text only), checks the contract (a table with name, api = 1,
 * known hooks), and sets parameters: the policy's defaults; `max_degree` without a value is the
 * scenario's; then `params` (value as JSON text) typed by the declaration. Errors: LP_EIO,
 * LP_ESCRIPT with file:line in diag, LP_EINVAL for an unknown parameter (nearest name) or a value
 * of the wrong type. *out is owned by the caller; outlives nothing it borrows (it copies). */
LpErr lp_policy_load(const char *path, const LpPolicyParam *params, uint32_t count,
                     const LpScenario *scenario, const LpPolicyLimits *limits,
                     const LpScriptServices *services, LpPolicy **out, LpDiag *diag) LP_MUST_USE;
/* The same from source text; name is what messages call it. */
LpErr lp_policy_load_text(const char *name, const char *source, size_t len,
                          const LpPolicyParam *params, uint32_t count, const LpScenario *scenario,
                          const LpPolicyLimits *limits, const LpScriptServices *services,
                          LpPolicy **out, LpDiag *diag) LP_MUST_USE;
void lp_policy_free(LpPolicy *policy); /* NULL allowed */

const char *lp_policy_name(const LpPolicy *policy);
const char *lp_policy_doc(const LpPolicy *policy); /* "" when none */
const char *lp_policy_path(const LpPolicy *policy);
const char *lp_policy_source(const LpPolicy *policy); /* text of the file */
uint64_t lp_policy_hash(const LpPolicy *policy);      /* of source and parameters */
uint32_t lp_policy_params(const LpPolicy *policy);
LpPolicyParamInfo lp_policy_param(const LpPolicy *policy, uint32_t index);

/* Asks the hooks for an answer to the job whose decision is due. The answer's pointers are valid
 * until the next call on this policy. rng: the policy's stream, advanced by self:rand().
 * A script that fails gives a DECLINE answer with cause POLICY_ERROR, LP_OK, and *failed set with
 * the message in diag: the run goes on. Errors: LP_ENOMEM of the engine, LP_EBUDGET when the script
 * took more processor time than its limit (the run stops there; the answer is not set). */
LpErr lp_policy_decide(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                       uint32_t job, LpRng *rng, LpAnswer *answer, bool *failed,
                       LpDiag *diag) LP_MUST_USE;

/* Use of the budgets in the last call. */
typedef struct LpPolicyUse {
    uint64_t instructions, predictions;
    size_t memory;
} LpPolicyUse;
LpPolicyUse lp_policy_use(const LpPolicy *policy);
/* What print() wrote since the last call of this function; "" when nothing. Cut at 16 KiB. */
const char *lp_policy_take_output(LpPolicy *policy);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asking a policy: the hooks of one decision, one after the other, and their answer.
 *
 * self.mem is a table in the policy's Lua state and nothing more: it lasts as long as the policy,
 * is NOT stored with the world, and so is not restored by a rewind, copied by a fork, or part of
 * the world's hash. A policy that keeps nothing in it (all of those shipped) is not affected. */
#include "script/policy.h"

#include <string.h>

#include "script/cluster_api.h"
#include "script/policy_internal.h"

static const char *const HOOK_NAMES[LP_HOOK_COUNT] = {
#define X(name, signature, doc) #name,
    LP_API_HOOKS(X)
#undef X
};

/* Says in messages which hook of which job is running. */
static void announce(LpPolicy *p, LpHook hook) {
    LpBuf text = {0};
    lp_buf_addf(&text, "%s(job %u)", HOOK_NAMES[hook], (unsigned)p->job);
    lp_str_copy(p->sandbox.doing, sizeof p->sandbox.doing, lp_buf_text(&text));
    lp_buf_fini(&text);
}

/* The line that decided: where the hook returned from, if it gave the reason that counts. */
static void note_where(LpPolicy *p, bool reason) {
    const LpPlace *place = &p->sandbox.returned;
    if (place->line == 0 || (p->answer.where && !reason))
        return;
    LpBuf text = {0};
    lp_buf_addf(&text, "%s:%d", place->file, place->line);
    lp_str_copy(p->where, sizeof p->where, lp_buf_text(&text));
    lp_buf_fini(&text);
    p->answer.where = p->where;
}

/* Calls a hook with self, the job and, for order_flows, its flows; three results are on the stack
 * afterwards. Returns the index of the first. */
static int call_hook(lua_State *L, LpPolicy *p, LpHook hook) {
    int first = lua_gettop(L) + 1, arguments = 3;
    announce(p, hook);
    lp_sandbox_refill(&p->sandbox);
    lua_rawgeti(L, LUA_REGISTRYINDEX, p->hook[hook]);
    lua_rawgeti(L, LUA_REGISTRYINDEX, p->self);
    lp_proxy_push_job(L, p->job);
    if (hook == LP_HOOK_order_flows) {
        lua_createtable(L, 0, 0); /* flows are not listed yet */
        arguments++;
    }
    lp_proxy_push_cluster(L);
    lua_call(L, arguments, 3);
    return first;
}

/* ---- one decision ---- */

/* Without a partition hook: the largest degree that may be answered. Where there is none, degree 1
 * lets the world say what stands in the way. */
static void default_partition(lua_State *L, LpPolicy *p) {
    uint32_t count = lp_api_degrees(L, p->job, 0);
    p->answer.degree = count > 0 ? p->degrees.item[count - 1] : 1;
}

static void ask_partition(lua_State *L, LpPolicy *p) {
    if (!p->has_hook[LP_HOOK_partition]) {
        default_partition(L, p);
    } else {
        int first = call_hook(L, p, LP_HOOK_partition);
        lp_hook_read_partition(L, first);
        note_where(p, true);
        lua_settop(L, first - 1);
    }
    if (p->answer.kind == LP_ANSWER_RUN)
        p->pending = p->answer.degree;
}

static void ask_place(lua_State *L, LpPolicy *p) {
    if (!p->has_hook[LP_HOOK_place])
        return;
    int first = call_hook(L, p, LP_HOOK_place);
    lp_hook_read_place(L, first);
    /* the reason of the partition stays unless this hook gave its own or refused to place */
    note_where(p, !lua_isnil(L, first + 1) || p->answer.kind != LP_ANSWER_RUN);
    lua_settop(L, first - 1);
}

static void ask_order(lua_State *L, LpPolicy *p, LpHook hook, LpOrder *order) {
    if (!p->has_hook[hook] || p->answer.kind != LP_ANSWER_RUN)
        return;
    bool reason = p->answer.why != NULL;
    int first = call_hook(L, p, hook);
    lp_hook_read_order(L, first, order);
    note_where(p, !reason && p->answer.why);
    lua_settop(L, first - 1);
}

static int decide_body(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    const LpJob *job = lp_world_job(p->world, p->job);
    lp_proxy_renew(L);
    luaL_checkstack(L, 40, "a decision");
    if (job->graph >= 0)
        ask_partition(L, p);
    if (p->answer.kind == LP_ANSWER_RUN)
        ask_place(L, p);
    if (job->graph >= 0) {
        ask_order(L, p, LP_HOOK_order_ops, &p->answer.order_ops);
        ask_order(L, p, LP_HOOK_order_flows, &p->answer.order_flows);
    }
    return 0;
}

/* A failed script declines; its message is the reason. */
static void decline_failed(LpPolicy *p, const LpDiag *diag) {
    p->answer = (LpAnswer){.kind = LP_ANSWER_DECLINE, .cause = LP_CAUSE_POLICY_ERROR};
    lp_str_copy(p->why, sizeof p->why, diag->text);
    p->answer.why = p->why;
    p->where[0] = '\0';
    if (diag->line > 0) {
        LpBuf text = {0};
        const char *slash = strrchr(diag->file, '/');
        lp_buf_addf(&text, "%s:%d", slash ? slash + 1 : diag->file, diag->line);
        lp_str_copy(p->where, sizeof p->where, lp_buf_text(&text));
        lp_buf_fini(&text);
        p->answer.where = p->where;
    }
}

LpErr lp_policy_decide(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                       uint32_t job, LpRng *rng, LpAnswer *answer, bool *failed, LpDiag *diag) {
    LpSandbox *sandbox = &policy->sandbox;
    LpDiag own = {.code = LP_OK};
    policy->context = context;
    policy->world = world;
    policy->job = job;
    policy->rng = rng;
    policy->pending = 0;
    policy->predictions = 0;
    policy->answer = (LpAnswer){.kind = LP_ANSWER_RUN};
    sandbox->spent = 0;
    sandbox->peak = sandbox->used;
    LpErr err = lp_sandbox_call(sandbox, decide_body, NULL, &own);
    policy->context = NULL; /* views given out are dead from here on */
    policy->world = NULL;
    policy->rng = NULL;
    bool script =
        err == LP_OK || (sandbox->stop != LP_STOP_ENGINE && sandbox->stop != LP_STOP_TIME);
    if (err != LP_OK && diag)
        *diag = own;
    if (!script)
        return err;
    *failed = err != LP_OK;
    if (err != LP_OK)
        decline_failed(policy, &own);
    *answer = policy->answer;
    return LP_OK;
}

LpPolicyUse lp_policy_use(const LpPolicy *policy) {
    return (LpPolicyUse){.instructions = policy->sandbox.spent,
                         .predictions = policy->predictions,
                         .memory = policy->sandbox.peak};
}

const char *lp_policy_take_output(LpPolicy *policy) {
    LpBuf taken = policy->sandbox.output;
    policy->sandbox.output = policy->output;
    lp_buf_clear(&policy->sandbox.output);
    policy->sandbox.output_cut = false;
    policy->output = taken;
    return lp_buf_text(&policy->output);
}

/* ---- what a policy is ---- */

const char *lp_policy_name(const LpPolicy *policy) {
    return policy->name;
}

const char *lp_policy_doc(const LpPolicy *policy) {
    return policy->doc;
}

const char *lp_policy_path(const LpPolicy *policy) {
    return policy->path;
}

const char *lp_policy_source(const LpPolicy *policy) {
    return policy->source;
}

uint64_t lp_policy_hash(const LpPolicy *policy) {
    return policy->hash;
}

uint32_t lp_policy_params(const LpPolicy *policy) {
    return policy->params;
}

LpPolicyParamInfo lp_policy_param(const LpPolicy *policy, uint32_t index) {
    return policy->param[index];
}

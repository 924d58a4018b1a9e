/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asking a policy: the hooks of one decision, one after the other, and their answer; the order of
 * the queue; what to do after an event. */
#include "script/policy/policy.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script/script_impl.h"
#include "script/views/cluster_api.h"
#include "script/views/slices.h"
#include "sim/forecast.h"

/* ---- one decision ---- */

/* Calls a hook about the job that is decided. */
static int call_hook(lua_State *L, LpPolicy *p, LpHook hook) {
    char doing[80];
    snprintf(doing, sizeof doing, "%s(job %u)", lp_hook_names[hook], (unsigned)p->job);
    return lp_hook_call(L, p, hook, doing);
}

static void fail_engine(lua_State *L, LpErr err, const LpDiag *diag) {
    if (err != LP_OK)
        lp_sandbox_fail_engine(L, diag);
}

/* Without a partition hook: the largest degree that may be answered. Where there is none, the least
 * that could have a place lets the world say what stands in the way; published rules allow only to
 * decline then, and the reason is the engine's. */
static void default_partition(lua_State *L, LpPolicy *p) {
    char reason[LP_DIAG_TEXT];
    LpDiag diag;
    uint32_t count = lp_api_degrees(L, p->job, 0);
    if (count > 0) {
        p->answer.degree = p->degrees.item[count - 1];
        return;
    }
    fail_engine(L, lp_world_least_degree(p->world, p->context, p->job, &p->answer.degree, &diag),
                &diag);
    if (p->answer.degree > 0)
        return;
    fail_engine(L, lp_world_lack(p->world, p->context, p->job, reason, &diag), &diag);
    p->answer.kind = LP_ANSWER_DECLINE;
    p->answer.cause = LP_CAUSE_DECLINED;
    lp_str_copy(p->why, sizeof p->why, reason);
    p->answer.why = p->why;
}

static void ask_place(lua_State *L, LpPolicy *p) {
    if (!p->has_hook[LP_HOOK_place])
        return;
    int first = call_hook(L, p, LP_HOOK_place);
    if (!lp_slices_read(L, first))
        lp_hook_read_place(L, first);
    /* the reason of the partition stays unless this hook gave its own or refused to place */
    lp_hook_note_where(p, !lua_isnil(L, first + 1) || p->answer.kind != LP_ANSWER_RUN);
    lua_settop(L, first - 1);
}

static void ask_order(lua_State *L, LpPolicy *p, LpHook hook) {
    if (!p->has_hook[hook] || p->answer.kind != LP_ANSWER_RUN)
        return;
    bool reason = p->answer.why != NULL;
    int first = call_hook(L, p, hook);
    lp_hook_read_order(L, first, hook == LP_HOOK_order_flows);
    lp_hook_note_where(p, !reason && p->answer.why);
    lua_settop(L, first - 1);
}

static int decide_body(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    const LpJob *job = lp_world_job(p->real, p->job);
    luaL_checkstack(L, 40, "a decision");
    if (job->graph >= 0) {
        if (!p->has_hook[LP_HOOK_partition]) {
            default_partition(L, p);
        } else {
            int first = call_hook(L, p, LP_HOOK_partition);
            lp_hook_read_partition(L, first);
            lp_hook_note_where(p, true);
            lua_settop(L, first - 1);
        }
        if (p->answer.kind == LP_ANSWER_RUN)
            p->pending = p->answer.degree;
    }
    if (p->answer.kind == LP_ANSWER_RUN)
        ask_place(L, p);
    /* a recorded step has the order that was recorded */
    if (job->graph >= 0 && p->context->scenario->graph[job->graph]->trace == NULL) {
        p->step.open = true;
        ask_order(L, p, LP_HOOK_order_ops);
        if (lp_phase_begin(L, p))
            lp_phase_ask(L, p);
        else
            ask_order(L, p, LP_HOOK_order_flows);
    }
    return 0;
}

LpErr lp_policy_decide(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                       uint32_t job, LpRng *rng, LpAnswer *answer, bool *failed, LpDiag *diag) {
    policy->job = job;
    LP_TRY(lp_policy_run(policy, context, world, rng, decide_body, failed, diag));
    *answer = policy->answer;
    return LP_OK;
}

/* ---- the order of the queue ---- */

static int queue_body(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    int first = lp_hook_call(L, p, LP_HOOK_order_queue, "order_queue");
    lp_hook_read_queue(L, first);
    lp_hook_note_where(p, true);
    return 0;
}

LpErr lp_policy_order_queue(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                            LpRng *rng, const uint32_t *jobs, uint32_t *count,
                            const uint32_t **order, bool *failed, LpDiag *diag) {
    *failed = false;
    *order = NULL;
    if (!policy->has_hook[LP_HOOK_order_queue])
        return LP_OK;
    LpNumbers *queue = &policy->queue;
    if (lp_grow((void **)&queue->item, &queue->cap, *count, sizeof *queue->item) != LP_OK)
        return lp_fail_memory(diag, "the order of a queue");
    if (*count > 0)
        memcpy(queue->item, jobs, *count * sizeof *jobs);
    queue->count = *count;
    policy->job = LP_NO_INDEX;
    policy->ordered = false;
    LP_TRY(lp_policy_run(policy, context, world, rng, queue_body, failed, diag));
    if (*failed || !policy->ordered)
        return LP_OK;
    *count = queue->count;
    *order = queue->item;
    return LP_OK;
}

static int key_body(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    int first = call_hook(L, p, LP_HOOK_queue_key);
    double key = lua_type(L, first) == LUA_TNUMBER ? lua_tonumber(L, first) : (double)NAN;
    if (isnan(key))
        return luaL_error(L, "returned %s; expected a number, the lower goes first",
                          lp_hook_describe(L, first));
    p->key = key;
    return 0;
}

LpErr lp_policy_queue_key(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                          uint32_t job, LpRng *rng, double *key, bool *failed, LpDiag *diag) {
    *failed = false;
    *key = policy->key = 0;
    if (!policy->has_hook[LP_HOOK_queue_key])
        return LP_OK;
    policy->job = job;
    LP_TRY(lp_policy_run(policy, context, world, rng, key_body, failed, diag));
    /* -0 and 0 are one key; a number that files can hold stands for what is not finite */
    *key = *failed ? 0 : fmax(fmin(policy->key + 0.0, DBL_MAX), -DBL_MAX);
    return LP_OK;
}

LpPolicyQueue lp_policy_queue(const LpPolicy *policy) {
    return (LpPolicyQueue){policy->has_hook[LP_HOOK_queue_key], policy->queue_unlisted,
                           policy->queue_rule, policy->behind != NULL ? policy->behind : ""};
}

/* ---- after an event ---- */

static int review_body(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    char doing[80];
    LpBuf text = {0};
    lp_buf_addf(&text, "review(%s", lp_event_name(p->event->kind));
    if (p->event->job != LP_NO_INDEX)
        lp_buf_addf(&text, " of job %u", (unsigned)p->event->job);
    lp_buf_add(&text, ")");
    lp_str_copy(doing, sizeof doing, lp_buf_text(&text));
    lp_buf_fini(&text);
    int first = lp_hook_call(L, p, LP_HOOK_review, doing);
    lp_hook_read_review(L, first);
    lp_hook_note_where(p, true);
    return 0;
}

LpErr lp_policy_review(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                       const LpEvent *event, LpRng *rng, const LpAction **actions, uint32_t *count,
                       bool *failed, LpDiag *diag) {
    *failed = false;
    *actions = NULL;
    *count = 0;
    if (!policy->has_hook[LP_HOOK_review])
        return LP_OK;
    policy->job = LP_NO_INDEX;
    policy->event = event;
    LP_TRY(lp_policy_run(policy, context, world, rng, review_body, failed, diag));
    if (*failed)
        return LP_OK;
    /* The servers lie in a list that has stopped growing: actions may point into it. */
    if (lp_grow((void **)&policy->action, &policy->action_cap, policy->reads,
                sizeof *policy->action) != LP_OK)
        return lp_fail_memory(diag, "actions");
    for (uint32_t i = 0; i < policy->reads; i++) {
        policy->action[i] = lp_action_get(policy, i);
        policy->action[i].why = policy->answer.why;
    }
    *actions = policy->action;
    *count = policy->reads;
    return LP_OK;
}

/* ---- after a call ---- */

const char *lp_policy_why(const LpPolicy *policy) {
    return policy->answer.why;
}

const char *lp_policy_call(const LpPolicy *policy) {
    return policy->sandbox.doing;
}

const char *lp_policy_traceback(const LpPolicy *policy) {
    return policy->sandbox.trace;
}

const LpExplain *lp_policy_explain(const LpPolicy *policy) {
    return policy->explain && policy->explain->set ? &policy->explain->view : NULL;
}

LpPolicyUse lp_policy_use(const LpPolicy *policy) {
    return (LpPolicyUse){.instructions = policy->sandbox.spent,
                         .predictions = policy->predictions,
                         .memory = policy->sandbox.peak,
                         .restored = policy->sandbox.restored};
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

uint32_t lp_policy_networks(const LpPolicy *policy) {
    return policy->networks;
}

void *lp_policy_network(const LpPolicy *policy, uint32_t index, uint32_t *param) {
    uint32_t seen = 0, at = 0; /* both lists are in the order in which parameters were read */
    while (at < policy->params &&
           (strcmp(policy->param[at].type, "network") != 0 || seen++ < index))
        at++;
    *param = at;
    return policy->network[index];
}

bool lp_policy_has_hook(const LpPolicy *policy, const char *name) {
    for (int hook = 0; hook < LP_HOOK_COUNT; hook++)
        if (lp_hook_names[hook][0] == name[0] && strcmp(lp_hook_names[hook], name) == 0)
            return policy->has_hook[hook];
    return false;
}

uint32_t lp_policy_files(const LpPolicy *policy) {
    return 1 + policy->modules;
}

const char *lp_policy_file(const LpPolicy *policy, uint32_t index) {
    return index == 0 ? policy->path : policy->module[index - 1].path;
}

const char *lp_policy_file_param(const LpPolicy *policy, uint32_t index) {
    return index == 0 ? NULL : policy->module[index - 1].param;
}

const char *lp_policy_text(const LpPolicy *policy, uint32_t index, size_t *len) {
    *len = index == 0 ? policy->source_len : policy->module[index - 1].len;
    return index == 0 ? policy->source : policy->module[index - 1].text;
}

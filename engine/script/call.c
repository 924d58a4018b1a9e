/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One call on a policy, whatever is asked: the views come alive, hooks run under their budget, what
 * the script remembers is kept, and a failure becomes a reason. */
#include <stdio.h>
#include <string.h>

#include "script/script_impl.h"

const char *const lp_hook_names[LP_HOOK_COUNT] = {
#define X(name, signature, doc) #name,
    LP_API_HOOKS(X)
#undef X
};

/* ---- hooks ---- */

void lp_hook_begin(lua_State *L, LpPolicy *p, LpHook hook, const char *doing) {
    lp_str_copy(p->sandbox.doing, sizeof p->sandbox.doing, doing);
    p->asked = hook;
    p->sandbox.phase = LP_FAULT_RUNTIME;
    lp_sandbox_refill(&p->sandbox);
    lua_rawgeti(L, LUA_REGISTRYINDEX, p->hook[hook]);
    lua_rawgeti(L, LUA_REGISTRYINDEX, p->self);
}

int lp_hook_finish(lua_State *L, LpPolicy *p, int arguments) {
    int first = lua_gettop(L) - arguments - 1;
    lua_call(L, arguments + 1, 3);
    p->sandbox.phase = LP_FAULT_ANSWER;
    lp_policy_enter(p, 0); /* a view of another world may have been used last */
    return first;
}

int lp_hook_call(lua_State *L, LpPolicy *p, LpHook hook, const char *doing) {
    lp_hook_begin(L, p, hook, doing);
    return lp_hook_finish(L, p, lp_hook_push_arguments(L, p, hook));
}

void lp_hook_note_where(LpPolicy *p, bool reason) {
    const LpPlace *place = &p->sandbox.returned;
    if (place->line == 0 || (p->answer.where && !reason))
        return;
    snprintf(p->where, sizeof p->where, "%s:%d", place->file, place->line);
    p->answer.where = p->where;
}

void lp_policy_find_file(const LpPolicy *p, LpDiag *diag) {
    for (uint32_t i = 0; i < p->modules; i++) {
        const char *slash = strrchr(p->module[i].path, '/');
        if (slash != NULL && strcmp(slash + 1, diag->file) == 0)
            lp_str_copy(diag->file, sizeof diag->file, p->module[i].path);
    }
}

void lp_policy_blame(const LpPolicy *p, LpDiag *diag) {
    const LpPlace *place = &p->sandbox.returned;
    bool own = strcmp(place->file, p->sandbox.chunk) == 0;
    if (place->line <= 0)
        return;
    diag->line = place->line;
    lp_str_copy(diag->file, sizeof diag->file, own ? p->path : place->file);
    lp_policy_find_file(p, diag);
}

/* ---- the call ---- */

/* Its message is the reason of a call that failed. */
static void note_failure(LpPolicy *p, const LpDiag *diag) {
    p->answer = (LpAnswer){.kind = LP_ANSWER_DECLINE, .cause = LP_CAUSE_POLICY_ERROR};
    lp_str_copy(p->why, sizeof p->why, diag->text);
    p->answer.why = p->why;
    if (diag->line <= 0)
        return;
    const char *slash = strrchr(diag->file, '/');
    char line[16];
    snprintf(line, sizeof line, ":%d", diag->line);
    lp_str_copy(p->where, sizeof p->where - strlen(line), slash ? slash + 1 : diag->file);
    strcat(p->where, line);
    p->answer.where = p->where;
}

static int call_body(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    lua_CFunction body = *(lua_CFunction *)lua_touserdata(L, 1);
    luaL_checkstack(L, 40, "a decision");
    lp_proxy_renew(L);
    if (p->mem_stale || (p->sandbox.image && p->mem_bytes.len > 0))
        lp_mem_restore(L);
    p->sandbox.spent = 0; /* so far it was not the script's work */
    (void)body(L);        /* no call of its own: lines of return are told by their depth */
    lua_settop(L, 0);
    LpPlace returned = p->sandbox.returned; /* what cannot be kept is blamed on the last hook */
    lp_sandbox_refill(&p->sandbox);
    p->sandbox.returned = returned;
    lp_mem_write(L);
    return 0;
}

static void begin(LpPolicy *p, const LpContext *context, const LpWorld *world, LpRng *rng) {
    p->context = context;
    p->real = world;
    lp_policy_enter(p, 0);
    p->rng = rng;
    p->pending = 0;
    p->step.open = p->step.known = p->step.flows_known = false;
    p->phases.asking = false;
    p->predictions = 0;
    p->priced.count = 0;
    p->cached.count = p->sandbox.image ? 0 : p->cached.count; /* the state has forgotten them */
    p->answer = (LpAnswer){.kind = LP_ANSWER_RUN};
    p->sandbox.doing[0] = '\0';
    p->sandbox.spent = 0;
    p->sandbox.peak = p->sandbox.used;
    if (p->explain)
        p->explain->set = false;
    lp_action_reset(p);
}

/* What answers in one call instead of a walk through servers or blocks, by the hook that walked. */
static const char *const INSTEAD[LP_HOOK_COUNT] = {
    [LP_HOOK_partition] = "cluster:degrees(job)",
    [LP_HOOK_place] = "cluster:best_block(job, { score = ... })",
    [LP_HOOK_review] = "cluster:free_at(n)",
    [LP_HOOK_order_queue] = "cluster:free_at(n)",
};

enum { MANY_SERVERS = 512 };

/* On a large cluster a budget is rarely used up by an endless loop. */
static void advise(const LpPolicy *p, const LpContext *context, LpDiag *diag) {
    uint32_t servers = context->fabric.servers;
    if (p->sandbox.stop != LP_STOP_WORK || servers < MANY_SERVERS)
        return;
    const char *instead = INSTEAD[p->asked] != NULL ? INSTEAD[p->asked] : "cluster:fits(n)";
    size_t len = strlen(diag->text);
    snprintf(diag->text + len, sizeof diag->text - len, "; %s looks at all %u servers in one call",
             instead, (unsigned)servers);
}

LpErr lp_policy_run(LpPolicy *p, const LpContext *context, const LpWorld *world, LpRng *rng,
                    lua_CFunction body, bool *failed, LpDiag *diag) {
    LpSandbox *sandbox = &p->sandbox;
    LpDiag own = {.code = LP_OK};
    begin(p, context, world, rng);
    LpErr err = lp_sandbox_call(sandbox, call_body, &body, &own);
    /* Views given out are dead from here on; worlds that were tried out go, but for one to use
     * again.
     */
    p->context = NULL;
    p->real = p->world = NULL;
    p->world_at = 0;
    p->rng = NULL;
    p->event = NULL;
    for (uint32_t i = 0; i < p->clones; i++) {
        if (!p->spare)
            p->spare = p->clone[i];
        else
            lp_world_free(p->clone[i]);
    }
    p->clones = 0;
    p->clone_bytes = 0;
    p->judging = false;
    if (err == LP_OK) {
        *failed = false;
        lp_mem_commit(p);
        return LP_OK;
    }
    lp_policy_find_file(p, &own);
    advise(p, context, &own);
    p->mem_stale = true;
    if (p->explain)
        p->explain->set = false;
    lp_action_reset(p);
    note_failure(p, &own);
    if (diag)
        *diag = own;
    if (sandbox->stop == LP_STOP_ENGINE || sandbox->stop == LP_STOP_TIME)
        return err;
    *failed = true;
    return LP_OK;
}

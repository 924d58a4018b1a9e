/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What actions would do: their cost, and the cluster as it would be afterwards. Both work on clones
 * of the world, which belong to the call. */
#include "script/views/cluster_api.h"
#include "script/views/views.h"
#include "sim/condition.h"

enum { CLONE_UNITS = 500, BYTES_PER_UNIT = 32, ACTION_UNITS = 1000 };

static void no_memory(lua_State *L) {
    LpDiag diag;
    (void)lp_fail_memory(&diag, "a cluster to try things out");
    lp_sandbox_fail_engine(L, &diag);
}

static void charge_clone(lua_State *L, size_t bytes) {
    lp_sandbox_charge(L, CLONE_UNITS + bytes / BYTES_PER_UNIT);
}

static void check_error(lua_State *L, LpErr err, const char *what, const LpDiag *diag) {
    if (err == LP_ENOMEM)
        lp_sandbox_fail_engine(L, diag);
    if (err != LP_OK)
        luaL_error(L, "%s: %s", what, diag->text);
}

/* nil, cause, why. */
static int refuse(lua_State *L, LpCause cause, const char *reason) {
    lua_pushnil(L);
    lp_push_text(L, lp_cause_code(cause));
    lp_push_text(L, reason[0] ? reason : lp_cause_sentence(cause));
    return 3;
}

/* ---- cost ---- */

/* A clone of the world being looked at; costing an action leaves it as it is. */
static LpWorld *judge_world(lua_State *L, LpPolicy *p) {
    if (p->judging && p->judge_of == p->world_at)
        return p->judge;
    charge_clone(L, lp_world_bytes(p->world));
    p->judging = false;
    p->judge = lp_world_clone(p->world, p->judge);
    if (!p->judge)
        no_memory(L);
    p->judging = true;
    p->judge_of = p->world_at;
    return p->judge;
}

int lp_api_cost(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:cost");
    LpPolicy *p = lp_policy_of(L);
    char reason[LP_DIAG_TEXT] = "";
    LpActionCost cost = {0};
    LpCause cause = LP_CAUSE_NONE;
    LpDiag diag = {.code = LP_OK};
    lua_settop(L, 2);
    lp_action_reset(p);
    lp_action_read(L, 2, "cluster:cost: the action");
    LpWorld *world = judge_world(L, p);
    LpAction action = lp_action_get(p, 0);
    lp_sandbox_charge(L, ACTION_UNITS);
    struct timespec start = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    LpErr err = lp_world_cost(world, p->context, &action, &cost, &cause, reason, &diag);
    lp_sandbox_extend(&p->sandbox, &start);
    check_error(L, err, "cluster:cost", &diag);
    if (cause != LP_CAUSE_NONE)
        return refuse(L, cause, reason);
    lua_createtable(L, 0, 3);
    lua_pushnumber(L, cost.seconds);
    lua_setfield(L, -2, "seconds");
    lua_pushnumber(L, cost.bytes);
    lua_setfield(L, -2, "bytes");
    lua_pushboolean(L, cost.pauses);
    lua_setfield(L, -2, "pauses");
    return 1;
}

/* ---- after ---- */

/* Clones live outside Lua's memory, but count against the same limit. */
static LpWorld *add_clone(lua_State *L, LpPolicy *p) {
    size_t bytes = lp_world_bytes(p->world);
    charge_clone(L, bytes);
    if (bytes > p->sandbox.limits.memory - p->clone_bytes)
        luaL_error(L, "cluster:after: too many clusters in one call: together they may take %I KiB",
                   (LUAI_UACINT)(p->sandbox.limits.memory / 1024));
    if (lp_grow((void **)&p->clone, &p->clone_cap, (size_t)p->clones + 1, sizeof(LpWorld *)) !=
        LP_OK)
        no_memory(L);
    LpWorld *clone = lp_world_clone(p->world, p->spare);
    p->spare = NULL;
    if (!clone)
        no_memory(L);
    p->clone[p->clones++] = clone;
    p->clone_bytes += bytes;
    return clone;
}

/* The last clone is of no use. */
static void drop_clone(LpPolicy *p) {
    p->spare = p->clone[--p->clones];
    p->clone_bytes -= lp_world_bytes(p->spare);
}

static void read_actions(lua_State *L, LpPolicy *p) {
    lp_action_reset(p);
    if (lp_env_unlock(L, 2))
        lua_replace(L, 2);
    if (!lua_istable(L, 2) || lua_rawgeti(L, 2, 1) == LUA_TSTRING)
        luaL_error(L, "cluster:after: expected a list of actions, as in cluster:after{ { "
                      "\"preempt\", job = job } }");
    size_t count = lua_rawlen(L, 2);
    for (size_t i = 1; i <= count; i++) {
        char what[48];
        lua_pushfstring(L, "cluster:after: action %I", (LUAI_UACINT)i);
        lp_str_copy(what, sizeof what, lua_tostring(L, -1));
        lua_rawgeti(L, 2, (lua_Integer)i);
        lp_action_read(L, -1, what);
        lua_settop(L, 2);
    }
}

static LpCause act(lua_State *L, LpPolicy *p, LpWorld *clone, uint32_t i, char *reason) {
    LpAction action = lp_action_get(p, i);
    LpCause cause = LP_CAUSE_NONE;
    LpDiag diag = {.code = LP_OK};
    LpEvent event;
    lp_sandbox_charge(L, ACTION_UNITS);
    lp_world_set_aside(clone);
    struct timespec start = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    LpErr err = lp_world_act(clone, p->context, &action, &event, &cause, reason, &diag);
    lp_sandbox_extend(&p->sandbox, &start);
    check_error(L, err, "cluster:after", &diag);
    return cause;
}

int lp_api_after(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:after");
    LpPolicy *p = lp_policy_of(L);
    char reason[LP_DIAG_TEXT] = "";
    lua_settop(L, 2);
    read_actions(L, p);
    LpWorld *clone = add_clone(L, p);
    for (uint32_t i = 0; i < p->reads; i++) {
        LpCause cause = act(L, p, clone, i, reason);
        if (cause != LP_CAUSE_NONE) {
            drop_clone(p);
            return refuse(L, cause, reason);
        }
    }
    lp_policy_enter(p, p->clones);
    (void)lp_proxy_push(L, LP_PROXY_CLUSTER, 0, 0, sizeof(LpProxy));
    return 1;
}

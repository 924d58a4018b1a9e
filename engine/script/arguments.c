/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What hooks are given: an argument is pushed by the function of its name, wherever it stands in a
 * row of LP_API_HOOKS. */
#include "script/policy/failure.h"
#include "script/script_impl.h"
#include "script/views/cluster_api.h"
#include "sim/light/circuits.h"

typedef void PushArgument(lua_State *L, LpPolicy *p);

static void push_job(lua_State *L, LpPolicy *p) {
    lp_proxy_push_job(L, p->job);
}

static void push_cluster(lua_State *L, LpPolicy *p) {
    (void)p;
    lp_proxy_push_cluster(L);
}

/* Pushes the flows of the job being decided. */
static void push_flows(lua_State *L, LpPolicy *p) {
    lp_proxy_push_step(L, LP_PROXY_FLOWS, p->job, NULL);
}

static void push_queue(lua_State *L, LpPolicy *p) {
    uint32_t count = p->queue.count;
    if (p->queue_unlisted) {
        lua_pushnil(L);
        return;
    }
    lp_sandbox_charge(L, count);
    lua_createtable(L, count < 1 << 24 ? (int)count : 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        lp_proxy_push_job(L, p->queue.item[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_fabric(lua_State *L, LpPolicy *p) {
    if (p->context->circuits == NULL)
        lua_pushnil(L);
    else
        lp_optics_push(L);
}

/* demand[i][j], bytes per second that jobs would send from port i to port j. */
static void push_demand(lua_State *L, LpPolicy *p) {
    if (p->context->circuits == NULL) {
        lua_pushnil(L);
        return;
    }
    uint32_t n = p->context->scenario->cluster.ocs.ports;
    LpDiag diag = {.code = LP_OK};
    lp_sandbox_charge(L, (uint64_t)n * n + 64);
    double *demand = lua_newuserdatauv(L, ((size_t)n * n + 1) * sizeof *demand, 0);
    struct timespec start = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    LpErr err = lp_world_demand(p->world, p->context, demand, &diag);
    lp_sandbox_extend(&p->sandbox, &start);
    if (err != LP_OK)
        lp_sandbox_fail_engine(L, &diag);
    lua_createtable(L, (int)n, 0);
    for (uint32_t i = 0; i < n; i++) {
        lua_createtable(L, (int)n, 0);
        for (uint32_t j = 0; j < n; j++) {
            lua_pushnumber(L, demand[(size_t)i * n + j]);
            lua_rawseti(L, -2, (lua_Integer)j + 1);
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_remove(L, -2);
}

/* ---- an event ---- */

#define EVENT_FIELD(name) static void event_##name(lua_State *L, const LpEvent *event)

EVENT_FIELD(kind) {
    lp_push_text(L, lp_event_name(event->kind));
}

EVENT_FIELD(time) {
    lua_pushnumber(L, event->time);
}

EVENT_FIELD(job) {
    if (event->job == LP_NO_INDEX)
        lua_pushnil(L);
    else
        lp_proxy_push_job(L, event->job);
}

static void push_event(lua_State *L, LpPolicy *p) {
    if (p->event == NULL) {
        lua_pushnil(L);
        return;
    }
    lua_createtable(L, 0, 3);
#define X(name, type, doc)                                                                         \
    event_##name(L, p->event);                                                                     \
    lua_setfield(L, -2, #name);
    LP_API_EVENT_FIELDS(X)
#undef X
}

/* ---- a failure that stopped the job ---- */

static void push_what(lua_State *L, LpPolicy *p) {
    lp_failure_push(L, p);
}

/* ---- a turn of circuits inside a step ---- */

static void push_phase(lua_State *L, LpPolicy *p) {
    lp_phase_push(L, p);
}

static void push_light(lua_State *L, LpPolicy *p) {
    lp_phase_push_light(L, p);
}

/* ---- all of one hook ---- */

#define HOOK(arguments, results) arguments
#define TAKES(...)                                                                                 \
    { __VA_ARGS__ }
#define ARG(name, type) push_##name

int lp_hook_push_arguments(lua_State *L, LpPolicy *p, LpHook hook) {
    static PushArgument *const ARGUMENTS[LP_HOOK_COUNT][LP_API_ARGUMENTS] = {
#define X(name, what, doc) [LP_HOOK_##name] = what,
        LP_API_HOOKS(X)
#undef X
    };
    int count = 0;
    while (count < LP_API_ARGUMENTS && ARGUMENTS[hook][count] != NULL)
        ARGUMENTS[hook][count++](L, p);
    return count;
}

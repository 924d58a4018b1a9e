/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cluster as scripts see it: its fields, and the degrees that may be answered. */
#include "script/views/cluster_api.h"
#include "script/views/classes.h"

#include "script/views/views.h"
#include "sim/forecast.h"
#include "sim/world.h"

enum { DEGREE_UNITS = 200 };

#define FIELD(name) static void cluster_##name(lua_State *L, LpPolicy *p, const LpProxy *view)
#define NUMBER(name, value)                                                                        \
    FIELD(name) {                                                                                  \
        (void)view;                                                                                \
        lua_pushinteger(L, (lua_Integer)(value));                                                  \
    }

NUMBER(servers, lp_world_servers(p->world))
NUMBER(free, lp_world_free_servers(p->world))
NUMBER(queue_capacity, p->context->scenario->queue_capacity)
NUMBER(max_degree, p->context->scenario->partition.max_degree)
NUMBER(groups, p->context->fabric.groups)
NUMBER(racks, p->context->fabric.racks)
NUMBER(servers_per_rack, p->context->fabric.per_rack)

FIELD(now) {
    (void)view;
    lua_pushnumber(L, lp_world_now(p->world));
}

/* A share, so that `cluster.busy > 0.9` says what it seems to. */
FIELD(busy) {
    (void)view;
    uint32_t busy = lp_world_tally(p->world)->busy_servers, servers = lp_world_servers(p->world);
    lua_pushnumber(L, servers > 0 ? (double)busy / servers : 0.0);
}

FIELD(running) {
    (void)p, (void)view;
    (void)lp_proxy_push(L, LP_PROXY_JOBS, 0, LP_LIST_RUNNING, sizeof(LpProxy));
}

FIELD(waiting) {
    (void)p, (void)view;
    (void)lp_proxy_push(L, LP_PROXY_JOBS, 0, LP_LIST_WAITING, sizeof(LpProxy));
}

FIELD(fabric) {
    (void)view;
    lp_push_text(L, p->context->fabric.ops->name);
}

uint32_t lp_api_degrees(lua_State *L, uint32_t job, uint32_t max) {
    LpPolicy *p = lp_policy_of(L);
    LpNumbers *out = &p->degrees;
    lp_numbers_reserve(L, out, 64);
    for (;;) {
        uint32_t room = (uint32_t)(out->cap < UINT32_MAX ? out->cap : UINT32_MAX);
        uint32_t count;
        LpDiag diag = {0};
        if (lp_world_degrees(p->world, p->context, job, max, out->item, room, &count, &diag) !=
            LP_OK)
            lp_sandbox_fail_engine(L, &diag);
        out->count = count;
        if (out->count <= room)
            break;
        lp_numbers_reserve(L, out, out->count);
    }
    /* each degree may have been tried on the cluster, up to the largest asked for */
    uint32_t most = p->context->scenario->partition.max_degree;
    lp_sandbox_charge(L, DEGREE_UNITS * (uint64_t)(max > 0 && max < most ? max : most) + 64);
    return out->count;
}

static int cluster_degrees(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:degrees");
    uint32_t job = lp_proxy_check_new_job(L, 2, "cluster:degrees(job)"), max = 0;
    if (!lua_isnoneornil(L, 3))
        max = (uint32_t)lp_hook_whole(L, 3, "cluster:degrees: max", 1, UINT32_MAX);
    uint32_t count = lp_api_degrees(L, job, max);
    lp_proxy_push_ids(L, lp_policy_of(L)->degrees.item, count);
    return 1;
}

static int cluster_is_free(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:is_free");
    const LpWorld *world = lp_policy_of(L)->world;
    lua_Integer id =
        lp_hook_whole(L, 2, "cluster:is_free: id", 0, (lua_Integer)lp_world_servers(world) - 1);
    lua_pushboolean(L, lp_world_server_free(world, (uint32_t)id));
    return 1;
}

#define cluster_fits lp_api_fits
#define cluster_free_at lp_api_free_at
#define cluster_blocks lp_api_blocks
#define cluster_best_block lp_api_best_block
#define cluster_predict lp_api_predict
#define cluster_cost lp_api_cost
#define cluster_after lp_api_after
#define cluster_slices lp_api_slices
#define cluster_cube lp_api_cube
#define cluster_link lp_api_link
#define cluster_plans lp_api_plans
#define cluster_optics lp_api_optics
#define cluster_zones lp_api_zones
#define cluster_free_server lp_api_free_server
#define cluster_count_blocks lp_api_count_blocks
#define cluster_each_block lp_api_each_block
#define FIELD_ROW(name, type, doc) {#name, cluster_##name},
static const LpField FIELDS[] = {LP_API_CLUSTER_FIELDS(FIELD_ROW)};
#define METHOD_ROW(name, signature, doc) {#name, cluster_##name},
static const LpMethod METHODS[] = {LP_API_CLUSTER_METHODS(METHOD_ROW)};
const LpProxyClass lp_proxy_cluster = {.name = "cluster",
                                       .field = FIELDS,
                                       .fields = LP_COUNTOF(FIELDS),
                                       .method = METHODS,
                                       .methods = LP_COUNTOF(METHODS)};

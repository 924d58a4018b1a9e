/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cluster as scripts see it: its fields, and the degrees that may be answered. */
#include "script/views/cluster_api.h"
#include "script/views/classes.h"

#include "script/views/views.h"
#include "sim/account/belief.h"
#include "sim/forecast.h"
#include "sim/queue/rank.h"
#include "sim/world.h"

enum { DEGREE_UNITS = 200, FIRST_UNITS = 8, WAITING_PER_UNIT = 8 };

/* For which widths a block is free, as far as they were asked for. */
typedef struct LpWidths {
    uint32_t servers[64];
    bool fits[64];
    uint64_t asked;
} LpWidths;

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

static int cluster_first_waiting(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:first_waiting");
    uint32_t except = LP_NO_INDEX;
    if (!lua_isnoneornil(L, 2))
        except = lp_proxy_check_job(L, 2, "cluster:first_waiting: except");
    uint32_t first = lp_world_first_in_queue(lp_policy_of(L)->world, except);
    lp_sandbox_charge(L, FIRST_UNITS);
    if (first == LP_NO_INDEX)
        lua_pushnil(L);
    else
        lp_proxy_push_job(L, first);
    return 1;
}

/* Is a block of that size free? Asked once for each width in a row. */
static bool width_fits(const LpPolicy *p, uint32_t servers, LpWidths *known) {
    uint32_t slot = servers % LP_COUNTOF(known->servers);
    if (known->servers[slot] != servers) {
        known->servers[slot] = servers;
        known->fits[slot] = servers <= lp_world_free_servers(p->world) &&
                            lp_world_need_fits(p->world, p->context, servers);
        known->asked++;
    }
    return known->fits[slot];
}

static int cluster_waiting_upto(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:waiting_upto");
    LpPolicy *p = lp_policy_of(L);
    LpWidths known = {{0}, {false}, 0};
    uint32_t looked = 0;
    lua_Integer count = 0, rigid = 0, limit = UINT32_MAX;
    uint32_t most =
        (uint32_t)lp_hook_whole(L, 2, "cluster:waiting_upto: number of servers", 0, UINT32_MAX);
    double seconds = luaL_checknumber(L, 3);
    if (!lua_isnoneornil(L, 4))
        limit = lp_hook_whole(L, 4, "cluster:waiting_upto: limit", 1, UINT32_MAX);
    lua_createtable(L, 0, 0);
    for (uint32_t id = lp_world_first_waiting(p->world); id != LP_NO_INDEX && rigid < limit;
         id = lp_world_next_waiting(p->world, id), looked++) {
        const LpJob *job = lp_world_job(p->world, id);
        uint32_t servers = job->asked.rigid_servers;
        if (job->graph < 0 && servers > most) /* most of a long queue, told by what lies at hand */
            continue;
        if (!lp_world_is_offered(p->world, id))
            continue;
        if (job->graph < 0 && (!(lp_job_believed_duration(p->context->scenario, job) <= seconds) ||
                               !width_fits(p, servers, &known)))
            continue;
        rigid += job->graph < 0;
        lp_proxy_push_job(L, id);
        lua_rawseti(L, -2, ++count);
    }
    lp_sandbox_charge(L, looked / WAITING_PER_UNIT + DEGREE_UNITS * known.asked + (uint64_t)count);
    return 1;
}

#define cluster_fits lp_api_fits
#define cluster_free_at lp_api_free_at
#define cluster_blocks lp_api_blocks
#define cluster_best_block lp_api_best_block
#define cluster_predict lp_api_predict
#define cluster_stops lp_api_stops
#define cluster_passes_at lp_api_passes_at
#define cluster_levels lp_api_levels
#define cluster_nodes lp_api_nodes
#define cluster_free_in lp_api_free_in
#define cluster_fits_place lp_api_fits_place
#define cluster_tree_place lp_api_tree_place
#define cluster_why lp_api_why
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

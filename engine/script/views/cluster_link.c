/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways between servers as they were measured, and the zones that servers lie in. */
#include "script/views/cluster_api.h"

#include "model/measure.h"
#include "script/views/views.h"

enum { ZONE_UNITS = 20 };

static void set_number(lua_State *L, const char *key, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

int lp_api_link(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:link");
    const LpPolicy *p = lp_policy_of(L);
    lua_Integer last = (lua_Integer)lp_world_servers(p->world) - 1;
    uint32_t a = (uint32_t)lp_hook_whole(L, 2, "cluster:link: a", 0, last);
    uint32_t b = (uint32_t)lp_hook_whole(L, 3, "cluster:link: b", 0, last);
    lp_sandbox_charge(L, 2);
    const LpFabric *fabric = &lp_policy_context(p)->fabric;
    LpWay way = lp_way_measured(fabric, a, b, lp_world_now(p->world));
    lua_createtable(L, 0, 4);
    set_number(L, "delay", way.delay);
    set_number(L, "loss", way.loss);
    set_number(L, "throughput", way.throughput);
    set_number(L, "measured_at", way.measured_at);
    return 1;
}

/* An empty zone on the stack, as number `zone` + 1 of the list below it. */
static void push_zone(lua_State *L, const LpFabric *fabric, uint32_t zone) {
    char name[LP_ZONE_NAME];
    lua_createtable(L, 0, 3);
    lp_push_text(L, lp_zone_name(fabric, zone, name));
    lua_setfield(L, -2, "name");
    lua_newtable(L);
    lua_setfield(L, -2, "servers");
    lua_newtable(L);
    lua_setfield(L, -2, "free");
    lua_rawseti(L, -2, (lua_Integer)zone + 1);
}

/* Appends a server to the list `key` of the zone on top of the stack. */
static void append(lua_State *L, const char *key, uint32_t server) {
    lua_getfield(L, -1, key);
    lua_pushinteger(L, server);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_pop(L, 1);
}

int lp_api_zones(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:zones");
    const LpPolicy *p = lp_policy_of(L);
    const LpFabric *fabric = &lp_policy_context(p)->fabric;
    uint32_t zones = lp_zone_count(fabric), servers = lp_world_servers(p->world);
    lp_sandbox_charge(L, (uint64_t)zones * ZONE_UNITS + 4 * (uint64_t)servers);
    lua_createtable(L, zones < 1 << 20 ? (int)zones : 0, 0);
    for (uint32_t z = 0; z < zones; z++)
        push_zone(L, fabric, z);
    for (uint32_t s = 0; s < servers; s++) {
        lua_rawgeti(L, -1, (lua_Integer)lp_zone_of(fabric, s) + 1);
        append(L, "servers", s);
        if (lp_world_server_free(p->world, s))
            append(L, "free", s);
        lua_pop(L, 1);
    }
    return 1;
}

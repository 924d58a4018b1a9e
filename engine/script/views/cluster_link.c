/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways between servers as they were measured, and the zones that servers lie in. */
#include "script/views/cluster_api.h"

#include "model/fabric/room_read.h"
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
    LpMeasuredPath way = lp_way_measured(fabric, a, b, lp_world_now(p->world));
    lua_createtable(L, 0, 4);
    set_number(L, "delay", way.delay);
    set_number(L, "loss", way.loss);
    set_number(L, "throughput", way.throughput);
    set_number(L, "measured_at", way.measured_at);
    return 1;
}

/* ---- zones ---- */

static uint32_t count_free(const LpRoom *room, const LpZoneServers *zone) {
    uint32_t count = 0;
    if (zone->list == NULL)
        return lp_room_free(room, zone->begin, zone->end);
    for (uint32_t i = 0; i < zone->end; i++)
        count += lp_room_has(room, zone->list[i]);
    return count;
}

static void set_integer(lua_State *L, const char *key, uint32_t value) {
    lua_pushinteger(L, value);
    lua_setfield(L, -2, key);
}

/* All servers of a zone, or those that are free, as `key` of the table on top of the stack. */
static void set_servers(lua_State *L, const char *key, const LpZoneServers *zone,
                        const LpRoom *free) {
    lua_Integer count = 0;
    lua_newtable(L);
    for (uint32_t i = 0; i < zone->end - zone->begin; i++) {
        uint32_t server = zone->list != NULL ? zone->list[i] : zone->begin + i;
        if (free != NULL && !lp_room_has(free, server))
            continue;
        lua_pushinteger(L, server);
        lua_rawseti(L, -2, ++count);
    }
    lua_setfield(L, -2, key);
}

int lp_api_zones(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:zones");
    const LpPolicy *p = lp_policy_of(L);
    const LpFabric *fabric = &lp_policy_context(p)->fabric;
    const LpRoom *room = lp_world_room(p->world);
    bool lists = lua_isnoneornil(L, 2) || lua_toboolean(L, 2);
    uint32_t zones = lp_zone_count(fabric);
    lp_sandbox_charge(L, (uint64_t)zones * ZONE_UNITS +
                             (lists ? 4 * (uint64_t)room->servers : (uint64_t)room->servers / 64));
    lua_createtable(L, zones < 1 << 20 ? (int)zones : 0, 0);
    for (uint32_t z = 0; z < zones; z++) {
        LpZoneServers its = lp_zone_servers(fabric, z);
        char name[LP_ZONE_NAME];
        lua_createtable(L, 0, lists ? 5 : 3);
        lp_push_text(L, lp_zone_name(fabric, z, name));
        lua_setfield(L, -2, "name");
        set_integer(L, "size", its.end - its.begin);
        set_integer(L, "free_count", count_free(room, &its));
        if (lists) {
            set_servers(L, "servers", &its, NULL);
            set_servers(L, "free", &its, room);
        }
        lua_rawseti(L, -2, (lua_Integer)z + 1);
    }
    return 1;
}

/* The free server of the zone that `before` free ones come before; UINT32_MAX: there is none. */
static uint32_t nth_free(const LpRoom *room, const LpZoneServers *zone, uint32_t before) {
    if (zone->list == NULL)
        return lp_room_nth(room, zone->begin, zone->end, before);
    for (uint32_t i = 0; i < zone->end; i++)
        if (lp_room_has(room, zone->list[i]) && before-- == 0)
            return zone->list[i];
    return UINT32_MAX;
}

int lp_api_free_server(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:free_server");
    const LpPolicy *p = lp_policy_of(L);
    const LpFabric *fabric = &lp_policy_context(p)->fabric;
    const LpRoom *room = lp_world_room(p->world);
    uint32_t k = (uint32_t)lp_hook_whole(L, 2, "cluster:free_server: k", 1, UINT32_MAX);
    LpZoneServers among = {.end = room->servers};
    if (!lua_isnoneornil(L, 3)) {
        lua_Integer last = lp_zone_count(fabric);
        among = lp_zone_servers(
            fabric, (uint32_t)lp_hook_whole(L, 3, "cluster:free_server: zone", 1, last) - 1);
    }
    lp_sandbox_charge(L, (among.end - among.begin) / 256 + 1);
    uint32_t server = nth_free(room, &among, k - 1);
    if (server == UINT32_MAX)
        lua_pushnil(L);
    else
        lua_pushinteger(L, server);
    return 1;
}

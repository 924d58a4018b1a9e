/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuit switches as scripts see them: cluster:optics(), links of regroup.
 * Ports count from 1, as everything that match.* takes and gives; servers and aggregators have
 * ids from 0. */
#include <math.h>
#include <string.h>

#include "script/views/cluster_api.h"
#include "script/views/views.h"
#include "sim/light/circuits.h"

enum { PORT_UNITS = 8 };

static const LpOcsParams *params_of(const LpPolicy *p) {
    return &p->context->scenario->cluster.ocs;
}

/* ---- the view: a plain table ---- */

typedef void PushField(lua_State *L, LpPolicy *p);

#define FIELD(name) static void optics_##name(lua_State *L, LpPolicy *p)
#define NUMBER(name, value)                                                                        \
    FIELD(name) {                                                                                  \
        (void)p;                                                                                   \
        lua_pushnumber(L, value);                                                                  \
    }
#define WHOLE(name, value)                                                                         \
    FIELD(name) {                                                                                  \
        (void)p;                                                                                   \
        lua_pushinteger(L, (lua_Integer)(value));                                                  \
    }

WHOLE(ports, params_of(p)->ports)
WHOLE(servers, params_of(p)->servers)
WHOLE(aggregators, params_of(p)->aggregators)
NUMBER(delay, lp_world_reconfiguration_time(p->world, p->context))
NUMBER(interval, params_of(p)->interval)
NUMBER(rate, p->context->fabric.port_rate)
NUMBER(lit_at, lp_world_lit_at(p->world))

FIELD(port) {
    const LpOcsParams *o = params_of(p);
    lua_createtable(L, (int)o->ports, 0);
    for (uint32_t i = 0; i < o->ports; i++) {
        bool server = o->plug[i].node < o->servers;
        lua_createtable(L, 0, 3);
        lua_pushinteger(L, (lua_Integer)(server ? o->plug[i].node : o->plug[i].node - o->servers));
        lua_setfield(L, -2, server ? "server" : "aggregator");
        lua_pushinteger(L, (lua_Integer)o->plug[i].device);
        lua_setfield(L, -2, "switch");
        lua_pushnumber(L, o->plug[i].bandwidth);
        lua_setfield(L, -2, "rate");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

FIELD(match) {
    const LpSchedule *s = lp_world_schedule(p->world, p->context);
    lua_createtable(L, (int)s->ports, 0);
    for (uint32_t i = 0; i < s->ports; i++) {
        if (s->to[i] == LP_DARK || s->to[i] == i)
            lua_pushboolean(L, 0);
        else
            lua_pushinteger(L, (lua_Integer)s->to[i] + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

FIELD(joined) {
    const LpOcsParams *o = params_of(p);
    const LpSchedule *s = lp_world_schedule(p->world, p->context);
    lua_createtable(L, 0, (int)o->servers);
    for (uint32_t i = 0; i < o->ports; i++) {
        uint32_t from = o->plug[i].node, to = s->to[i] < o->ports ? o->plug[s->to[i]].node : 0;
        if (s->to[i] == LP_DARK || from >= o->servers || to < o->servers)
            continue;
        lua_pushinteger(L, (lua_Integer)(to - o->servers));
        lua_rawseti(L, -2, (lua_Integer)from);
    }
}

void lp_optics_push(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
#define ROW(name, type, doc) {#name, optics_##name},
    static const struct {
        const char *name;
        PushField *push;
    } fields[] = {LP_API_OPTICS_FIELDS(ROW)};
#undef ROW
    lp_sandbox_charge(L, PORT_UNITS * (uint64_t)params_of(p)->ports + 64);
    lua_createtable(L, 0, (int)LP_COUNTOF(fields));
    for (size_t i = 0; i < LP_COUNTOF(fields); i++) {
        fields[i].push(L, p);
        lua_setfield(L, -2, fields[i].name);
    }
}

int lp_api_optics(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:optics");
    if (lp_policy_of(L)->context->circuits == NULL)
        lua_pushnil(L);
    else
        lp_optics_push(L);
    return 1;
}

/* ---- links of regroup ---- */

/* Key of the table on top, a whole number; false when it is absent. */
static bool read_field(lua_State *L, const char *key, const char *what, lua_Integer min,
                       lua_Integer *out) {
    char name[80];
    LpBuf text = {0};
    bool there = lua_getfield(L, -1, key) != LUA_TNIL;
    lp_buf_addf(&text, "%s: %s", what, key);
    lp_str_copy(name, sizeof name, lp_buf_text(&text));
    lp_buf_fini(&text);
    if (there)
        *out = lp_hook_whole(L, -1, name, min, LP_SERVERS_MAX) - min;
    lua_pop(L, 1);
    return there;
}

static void read_link(lua_State *L, const char *what, LpRegroupLink *out) {
    lua_Integer a = 0, b = 0;
    if (lp_env_unlock(L, lua_gettop(L)))
        lua_replace(L, -2);
    if (!lua_istable(L, -1))
        luaL_error(L, "%s is %s; expected { server =, aggregator = } or { from =, to = }", what,
                   lp_hook_describe(L, -1));
    bool server = read_field(L, "server", what, 0, &a);
    bool aggregator = read_field(L, "aggregator", what, 0, &b);
    bool from = !server && read_field(L, "from", what, 1, &a);
    bool to = !aggregator && read_field(L, "to", what, 1, &b);
    if (!(server && aggregator) && !(from && to))
        luaL_error(L, "%s lacks an end; expected { server =, aggregator = } or { from =, to = }",
                   what);
    *out = (LpRegroupLink){server, (uint32_t)a, (uint32_t)b};
}

uint32_t lp_optics_read_links(lua_State *L, const char *what) {
    LpPolicy *p = lp_policy_of(L);
    int top = lua_gettop(L), index = top;
    if (lp_env_unlock(L, index))
        index = top + 1;
    if (!lua_istable(L, index))
        luaL_error(L, "%s is %s; expected a list of links", what, lp_hook_describe(L, index));
    size_t count = lua_rawlen(L, index);
    if (count > LP_CIRCUIT_PORTS_MAX)
        luaL_error(L, "%s: %I links; at most %d are allowed", what, (LUAI_UACINT)count,
                   (int)LP_CIRCUIT_PORTS_MAX);
    lp_sandbox_charge(L, PORT_UNITS * (uint64_t)count);
    if (lp_grow((void **)&p->link, &p->link_cap, p->links + count + 1, sizeof *p->link) != LP_OK) {
        LpDiag diag;
        (void)lp_fail_memory(&diag, "circuits");
        lp_sandbox_fail_engine(L, &diag);
    }
    for (size_t i = 1; i <= count; i++) {
        char name[96];
        lua_pushfstring(L, "%s[%I]", what, (LUAI_UACINT)i);
        lp_str_copy(name, sizeof name, lua_tostring(L, -1));
        lua_pop(L, 1);
        lua_rawgeti(L, index, (lua_Integer)i);
        read_link(L, name, &p->link[p->links + i - 1]);
        lua_settop(L, index);
    }
    lua_settop(L, top);
    p->links += count;
    return (uint32_t)count;
}

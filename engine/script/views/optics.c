/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuit switches as scripts see them: cluster:optics(), the hook configure, links of regroup.
 * Ports count from 1, as everything that match.* takes and gives; servers and aggregators have
 * ids from 0. */
#include <math.h>
#include <string.h>

#include "script/policy_internal.h"
#include "script/views/cluster_api.h"
#include "sim/light/circuits.h"

enum { PORT_UNITS = 8 };

static const LpOcsParams *params_of(const LpPolicy *p) {
    return &p->context->scenario->cluster.ocs;
}

static void no_memory(lua_State *L) {
    LpDiag diag;
    (void)lp_fail_memory(&diag, "circuits");
    lp_sandbox_fail_engine(L, &diag);
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
    if (lp_grow((void **)&p->link, &p->link_cap, p->links + count + 1, sizeof *p->link) != LP_OK)
        no_memory(L);
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

/* ---- configure ---- */

static void push_demand(lua_State *L, LpPolicy *p) {
    uint32_t n = params_of(p)->ports;
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

static void configure_room(lua_State *L, LpPolicy *p, size_t entries, uint32_t ports) {
    if (lp_grow((void **)&p->circuit, &p->circuit_cap, entries * ports + 1, sizeof *p->circuit) !=
            LP_OK ||
        lp_grow((void **)&p->hold, &p->hold_cap, entries + 1, sizeof *p->hold) != LP_OK)
        no_memory(L);
}

/* The matching on top of the stack: { [in] = out }, false or absent: dark. */
static void read_match(lua_State *L, const char *what, uint32_t ports, uint32_t *to) {
    int index = lua_gettop(L);
    if (lp_env_unlock(L, index))
        index++;
    if (!lua_istable(L, index))
        luaL_error(L, "%s: match is %s; expected { [port] = port }", what,
                   lp_hook_describe(L, index));
    for (uint32_t i = 0; i < ports; i++)
        to[i] = LP_DARK;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_Integer in = 0;
        int whole = 0;
        if (lua_type(L, -2) == LUA_TNUMBER)
            in = lua_tointegerx(L, -2, &whole);
        if (!whole || in < 1 || in > (lua_Integer)ports)
            luaL_error(L, "%s: match joins port %s; ports are 1 to %d", what,
                       lp_hook_describe(L, -2), (int)ports);
        if (lua_type(L, -1) != LUA_TBOOLEAN || lua_toboolean(L, -1))
            to[in - 1] = (uint32_t)lp_hook_whole(L, -1, what, 1, (lua_Integer)ports) - 1;
        lua_pop(L, 1);
    }
}

static void read_entry(lua_State *L, LpPolicy *p, uint32_t e, bool only) {
    uint32_t ports = params_of(p)->ports;
    char what[48];
    int top = lua_gettop(L);
    lua_pushfstring(L, "matching %d", (int)e + 1);
    lp_str_copy(what, sizeof what, lua_tostring(L, -1));
    lua_pop(L, 1);
    if (lp_env_unlock(L, top))
        lua_replace(L, top);
    if (!lua_istable(L, top))
        luaL_error(L, "%s is %s; expected { match = { [port] = port }, hold = seconds }", what,
                   lp_hook_describe(L, top));
    lua_getfield(L, top, "hold");
    bool given = lua_type(L, -1) == LUA_TNUMBER;
    p->hold[e] = given ? lua_tonumber(L, -1) : 1;
    if ((!given && !(only && lua_isnil(L, -1))) || !(p->hold[e] > 0) || isinf(p->hold[e]))
        luaL_error(L, "%s: hold is %s; expected seconds above 0", what, lp_hook_describe(L, -1));
    lua_getfield(L, top, "match");
    read_match(L, what, ports, p->circuit + (size_t)e * ports);
    lua_settop(L, top);
}

static void read_schedule(lua_State *L, LpPolicy *p, int index) {
    uint32_t ports = params_of(p)->ports;
    p->entries = 0;
    lp_hook_read_why(L, index + 1);
    if (lua_isnil(L, index))
        return;
    if (!lua_istable(L, index))
        luaL_error(L,
                   "returned %s; expected { { match = { [port] = port }, hold = seconds }, ... }",
                   lp_hook_describe(L, index));
    size_t count = lua_rawlen(L, index);
    if (count > LP_SCHEDULE_ENTRIES_MAX || count * ports > p->result)
        luaL_error(L, "%I matchings of %d ports; at most %d, and %I ports in all",
                   (LUAI_UACINT)count, (int)ports, (int)LP_SCHEDULE_ENTRIES_MAX,
                   (LUAI_UACINT)p->result);
    if (count == 0)
        luaL_error(L, "returned no matching; expected { { match =, hold = }, ... } or nil");
    lp_sandbox_charge(L, PORT_UNITS * (uint64_t)count * ports);
    configure_room(L, p, count, ports);
    for (uint32_t e = 0; e < count; e++) {
        lua_rawgeti(L, index, (lua_Integer)e + 1);
        read_entry(L, p, e, count == 1);
        lua_pop(L, 1);
    }
    p->entries = (uint32_t)count;
}

static int configure_body(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    lp_hook_begin(L, p, LP_HOOK_configure, "configure");
    lp_optics_push(L);
    push_demand(L, p);
    lp_proxy_push_cluster(L);
    int first = lp_hook_finish(L, p, 3);
    read_schedule(L, p, first);
    lp_hook_note_where(p, true);
    return 0;
}

LpErr lp_policy_configure(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                          LpRng *rng, LpSchedule *out, bool *failed, LpDiag *diag) {
    *failed = false;
    *out = (LpSchedule){0};
    if (!policy->has_hook[LP_HOOK_configure] || context->circuits == NULL)
        return LP_OK;
    policy->job = LP_NO_INDEX;
    LP_TRY(lp_policy_run(policy, context, world, rng, configure_body, failed, diag));
    if (!*failed && policy->entries > 0)
        *out = (LpSchedule){lp_world_ports(world), policy->entries, policy->circuit, policy->hold};
    return LP_OK;
}
